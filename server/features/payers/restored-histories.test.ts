import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { recordedPayment } from '#contract/since-restore.ts';
import { randomOf } from '#demo/random.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { contextOn } from '#testing/context.ts';
import { earnReleased, personIn } from '#testing/fixtures/earnings.ts';
import { payableAt } from '#testing/fixtures/payouts.ts';
import { freshDatabase, type TestDatabase } from '#testing/servers/postgres.ts';
import { type PayoutStatus, type StandInPayout, startRazorpayx } from '#testing/servers/razorpayx.ts';
import { howMany, seedOr } from '#testing/share.ts';
import { auditLedger } from '../earnings/audit.ts';
import { razorpayx as createRazorpayx } from '../payer-services/razorpayx.ts';
import { lockPayouts } from '../withdrawals/payout-lock.ts';
import { rejectWithdrawal } from '../withdrawals/review.ts';
import { withdraw, withdrawStatuses } from '../withdrawals/withdrawals.ts';
import { cancelBatch, makeBatch, sendBatch } from './batches.ts';
import { completeWithdrawal } from './by-hand.ts';
import { claimNext, payOne } from './paying.ts';
import { recordPayments } from './record.ts';
import { findLock } from './shown-lock.ts';
import { identifyPayment, reconcileSinceRestore, showLock } from './since-restore.ts';

/*
 * Random sites that are restored from a copy while their payers continue: whatever happened before and after the copy, at the end each
 * month is paid once. `RESTORED_HISTORIES=500` runs more of them.
 */
const histories = howMany('RESTORED_HISTORIES', { share: 3, whole: 300 });
const month = '2026-10';
const minute = 60_000;
const notPaid: readonly PayoutStatus[] = ['failed', 'reversed', 'rejected', 'cancelled'];

it.each(Array.from({ length: histories }, (_, place) => seedOr(0) * 1000 + place))(
  'the restored site %i pays each month once',
  async (seed) => {
    const razorpayx = await startRazorpayx();
    const site = new Site(razorpayx, seed);
    try {
      await site.live();
    } finally {
      await razorpayx.close();
      await site.close();
    }
  },
);

/** What a bank did with a line of a file, and when. */
interface Line {
  id: string;
  withdrawal: string;
  handedAt: Date;
  state: 'accepted' | 'paid' | 'failed' | 'returned';
}

type Row = Record<string, string>;

class Site {
  private readonly random: () => number;
  private readonly razorpayx: Awaited<ReturnType<typeof startRazorpayx>>;
  private readonly databases: { database: TestDatabase; db: Kysely<Tables> }[] = [];
  private readonly operator = { id: '01890000-0000-7000-8000-000000000001', name: 'Ravi' };
  private readonly creators: string[] = [];
  /** The payee of each payment, which a restore does not change. */
  private readonly payees = new Map<string, string>();
  private readonly bank = new Map<string, Line>();
  /** The bank's reports, in order. */
  private readonly statements: { at: Date; row: Row }[] = [];
  private readonly byHand: { at: Date; creator: string; row: Row }[] = [];
  private readonly said: string[] = [];
  private payerName: 'file' | 'razorpayx' = 'file';
  private now = new Date('2026-11-10T07:00:00Z');

  constructor(razorpayx: Awaited<ReturnType<typeof startRazorpayx>>, seed: number) {
    this.razorpayx = razorpayx;
    this.random = randomOf(seed + 40_000);
  }

  async close(): Promise<void> {
    for (const { db, database } of this.databases) {
      await db.destroy();
      await database.drop();
    }
  }

  /** The current database. */
  private get db(): Kysely<Tables> {
    const { db } = this.databases.at(-1) ?? {};
    if (!db) throw new Error('there is no site');
    return db;
  }

  private async open(database: TestDatabase): Promise<void> {
    this.databases.push({ database, db: await openDatabase(database.url, 3) });
  }

  private settings() {
    const { RAZORPAYX_KEY_ID: keyId, RAZORPAYX_KEY_SECRET: keySecret } = this.razorpayx.settings;
    const { RAZORPAYX_ACCOUNT: account, RAZORPAYX_WEBHOOK_SECRET: webhookSecret } = this.razorpayx.settings;
    return { url: this.razorpayx.url, keyId, keySecret, account, webhookSecret };
  }

  private context() {
    const usual = contextOn(this.db);
    const payouts = {
      approvalAbove: 1_000_000,
      columns: undefined,
      payer: this.payerName,
      razorpayx: this.settings(),
    };
    return contextOn(this.db, { clock: () => this.now, config: { ...usual.config, payouts } });
  }

  async live(): Promise<void> {
    try {
      await this.begin();
      await this.steps(10 + this.below(30));
      const copiedAt = await this.copy();
      await this.steps(10 + this.below(40));
      await this.restore(copiedAt);
      await this.steps(this.below(20));
      await this.end();
    } catch (error) {
      throw new Error(this.said.join('\n'), { cause: error });
    }
  }

  private async begin(): Promise<void> {
    await this.open(await freshDatabase());
    for (let made = 0; made < 5; made += 1) {
      const creator = await personIn(this.db, new Date('2026-01-01'));
      this.creators.push(creator);
      await payableAt(this.context(), creator);
      await earnReleased(this.db, creator, month);
    }
  }

  private async steps(many: number): Promise<void> {
    const acts = [
      () => this.ask(),
      () => this.ask(),
      () => this.ask(),
      () => this.make(),
      () => this.make(),
      () => this.send(),
      () => this.send(),
      () => this.send(),
      () => this.cancel(),
      () => this.reject(),
      () => this.complete(),
      () => this.payersWork(),
      () => this.payersWork(),
      () => this.note(),
      () => this.note(),
      () => this.look(),
      () => this.look(),
    ];
    for (let step = 0; step < many; step += 1) {
      this.now = new Date(this.now.getTime() + minute + this.below(90) * minute);
      await this.oneOf(acts)?.().catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        this.say(`refused: ${error.code}`);
      });
      this.mustBePaidOnce();
    }
  }

  private async ask(creator = this.oneOf(this.creators) ?? ''): Promise<void> {
    this.say(`${creator} asks`);
    await withdraw(this.context(), creator, { userId: creator, month, totalRupee: '1.00' });
  }

  private async make(): Promise<void> {
    this.payerName = this.oneOf(['file', 'razorpayx'] as const) ?? 'file';
    const { _id, payments } = await makeBatch(this.context(), this.operator, {});
    for (const one of payments) this.payees.set(one._id, one.userId);
    this.say(`${_id} is made, by ${this.payerName}, of ${payments.map((one) => `${one._id} ${one.userId}`)}`);
  }

  private async send(id?: string): Promise<void> {
    const batch =
      id ??
      (
        await this.db
          .selectFrom('payout_batches')
          .select('id')
          .where('state', '=', 'approved')
          .executeTakeFirst()
      )?.id;
    if (!batch) return;
    const { file } = await sendBatch(this.context(), this.operator, { id: batch, again: id !== undefined });
    this.say(`${batch} is sent`);
    for (const [, line = '', withdrawal = ''] of file.matchAll(/^"([0-9a-f-]{36})","([0-9a-f-]{36})"/gm))
      if (!this.bank.has(line))
        this.bank.set(line, { id: line, withdrawal, handedAt: this.now, state: 'accepted' });
  }

  private async cancel(): Promise<void> {
    const batch = await this.db
      .selectFrom('payout_batches')
      .select('id')
      .where('state', '=', 'approved')
      .executeTakeFirst();
    if (!batch) return;
    await cancelBatch(this.context(), this.operator, batch.id);
    this.say(`${batch.id} is cancelled`);
  }

  private async pending(): Promise<{ id: string; creator_id: string } | undefined> {
    const rows = await this.db
      .selectFrom('withdrawals')
      .select(['id', 'creator_id'])
      .where('state', '=', 'pending')
      .orderBy('id')
      .execute();
    return this.oneOf(rows);
  }

  private async reject(): Promise<void> {
    const row = await this.pending();
    if (!row) return;
    await rejectWithdrawal(this.context(), row.id, { reason: 'No', operatorId: this.operator.id });
    this.say(`${row.id} is rejected`);
  }

  /** Pays by hand what no payer has. */
  private async complete(): Promise<void> {
    const row = await this.pending();
    if (!row) return;
    const open = await this.db
      .selectFrom('payout_attempts')
      .select('id')
      .where('withdrawal_id', '=', row.id)
      .where('state', 'in', ['prepared', 'exported', 'sent', 'unknown'])
      .executeTakeFirst();
    if (open) return;
    const reference = `by hand ${this.said.length}`;
    await completeWithdrawal(this.context(), row.id, { reference, operatorId: this.operator.id });
    this.say(`${row.id} is paid by hand`);
    const said = { withdrawal: row.id, rupees: '1.00', reference, state: 'paid' };
    this.byHand.push({ at: this.now, creator: row.creator_id, row: said });
  }

  /** The bank and the API pay, fail, or return payments. */
  private async payersWork(isEnd = false): Promise<void> {
    for (const line of this.bank.values()) {
      const dice = isEnd ? 0.9 : this.random();
      const said = (state: 'paid' | 'failed' | 'returned', more: Row) => {
        line.state = state;
        this.statements.push({ at: this.now, row: { id: line.id, state, ...more } });
      };
      if (line.state === 'accepted' && dice > 0.5) said('paid', { reference: `UTR ${line.id}` });
      else if (line.state === 'accepted' && dice > 0.35) said('failed', { reason: 'No such account' });
      else if (line.state === 'paid' && dice < 0.15) said('returned', { reason: 'It came back' });
    }
    for (const payout of this.razorpayx.payouts.values()) {
      const dice = isEnd ? 0.9 : this.random();
      if (payout.status === 'processing' && dice > 0.5) this.razorpayx.move(payout, 'processed');
      else if (payout.status === 'processing' && dice > 0.35)
        this.razorpayx.move(payout, 'failed', 'No such account');
      else if (payout.status === 'processed' && dice < 0.15)
        this.razorpayx.move(payout, 'reversed', 'It came back');
    }
    this.say('the payers work');
  }

  /** An operator records the bank's latest reports in order, some of them again. */
  private async note(): Promise<void> {
    const last = this.statements.slice(-4 - this.below(8));
    for (const { row } of last) await this.noteRow(row);
    this.say('the last statements are noted');
  }

  private async noteRow({ id = '', state, reference = '', reason = '' }: Row): Promise<void> {
    const payment =
      state === 'paid' ? { id, state: 'paid' as const, reference } : { id, state: state as 'failed', reason };
    await recordPayments(this.context(), this.operator, [payment]);
  }

  /** Workers pay by the API, and poll it. */
  private async look(): Promise<void> {
    const payer = createRazorpayx(this.settings());
    for (let looks = 0; looks < 4; looks += 1) {
      const attempt = await claimNext(this.context(), payer);
      if (!attempt) break;
      await payOne(this.context(), payer, attempt, () => undefined);
    }
    this.date();
    this.say('workers look');
  }

  /** The stand-in uses another clock. */
  private readonly dated = new Set<StandInPayout>();
  private date(): void {
    for (const payout of this.razorpayx.payouts.values())
      if (!this.dated.has(payout)) {
        payout.created_at = Math.floor(this.now.getTime() / 1000);
        this.dated.add(payout);
      }
  }

  private copied: TestDatabase | undefined;

  /** A backup, without its files. */
  private async copy(): Promise<Date> {
    const { database, db } = this.databases.pop() ?? {};
    if (!database || !db) throw new Error('there is no site');
    await db.destroy();
    this.copied = await freshDatabase(database.name);
    await this.open(database);
    this.say('it is copied');
    return this.now;
  }

  private async restore(copiedAt: Date): Promise<void> {
    if (!this.copied) throw new Error('there is no copy');
    // More than the hour by which clocks may differ, so that the API's record has only later payments.
    this.now = new Date(this.now.getTime() + 30 * minute);
    await this.open(this.copied);
    await lockPayouts(this.db, { snapshotAt: copiedAt, restoredAt: this.now });
    this.say('it is restored');
    const since = <T extends { at: Date }>(all: readonly T[]) => all.filter(({ at }) => at > copiedAt);
    const handed = [...this.bank.values()].filter(({ handedAt }) => handedAt > copiedAt);
    const files: Row[][] = [
      handed.map(({ id, withdrawal }) => ({ id, withdrawal, rupees: '1.00' })),
      since(this.statements).map(({ row }) => row),
      since(this.byHand).map(({ row }) => row),
    ];
    // In any order, or all at once.
    const given = this.random() < 0.3 ? [files.flat()] : this.shuffled(files);
    for (const rows of this.random() < 0.3 ? [...given, ...given] : given) {
      const payments = this.shuffled(rows).map((row) => recordedPayment.parse(row));
      const { noted, unmatched } = await reconcileSinceRestore(this.context(), this.operator, {
        payments,
        complete: false,
        none: false,
      });
      this.say(`given: ${noted} noted, ${unmatched.map(({ payment, why }) => `${payment} ${why}`)}`);
    }
    await this.nameAll();
    await reconcileSinceRestore(this.context(), this.operator, { payments: [], complete: true, none: false });
    expect(await findLock(this.db)).toBeUndefined();
  }

  /** Identifies each payment by its creator and month, as an operator can. */
  private async nameAll(): Promise<void> {
    for (let rounds = 0; rounds < 20; rounds += 1) {
      const { unmatched } = await showLock(this.context());
      if (unmatched.length === 0) return;
      for (const { payment, why } of unmatched) {
        const hand = this.byHand.find(({ row }) => `reference ${row.reference}` === payment);
        const userId = hand?.creator ?? this.payees.get(payment);
        const standing = userId && this.standingOf(userId).includes(payment);
        const name = standing ? { userId, month } : { other: 'Nothing was paid by it' };
        const done = await identifyPayment(this.context(), this.operator, { payment, ...name }).then(
          () => 'named',
          (error: unknown) => {
            if (error instanceof Refusal) return error.message;
            throw error;
          },
        );
        this.say(`${payment} (${why}): ${JSON.stringify(name)}: ${done}`);
      }
    }
    throw new Error('some payments cannot be identified');
  }

  /** The payments of a creator that payers have made or may still make. */
  private standingOf(creator: string): string[] {
    const bank = [...this.bank.values()].filter(({ state }) => state === 'paid' || state === 'accepted');
    const api = [...this.razorpayx.payouts.values()].filter(({ status }) => !notPaid.includes(status));
    const ids = [...bank.map(({ id }) => id), ...api.map((one) => one.reference_id ?? '')];
    return [
      ...ids.filter((id) => this.payees.get(id) === creator),
      ...this.byHand.filter((one) => one.creator === creator).map(({ row }) => `reference ${row.reference}`),
    ];
  }

  private mustBePaidOnce(): void {
    for (const creator of this.creators) {
      const standing = this.standingOf(creator);
      if (standing.length > 1) throw new Error(`${creator} is paid by ${standing}`);
    }
  }

  /** Everybody requests the month and is paid. */
  private async end(): Promise<void> {
    this.say('the end');
    for (let rounds = 0; rounds < 12; rounds += 1) {
      const statuses = await Promise.all(this.creators.map((creator) => withdrawStatuses(this.db, creator)));
      if (statuses.every((one) => one[month] === 'completed')) break;
      for (const [place, creator] of this.creators.entries())
        if (!statuses[place]?.[month]) await this.ask(creator);
      this.now = new Date(this.now.getTime() + 2 * 24 * 60 * minute);
      await this.make().catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      });
      await this.send();
      // A file that was sent may have been lost.
      for (const { id } of await this.sentBatches()) await this.send(id);
      await this.look();
      await this.look();
      await this.payersWork(true);
      for (const { row } of this.statements) await this.noteRow(row);
      this.now = new Date(this.now.getTime() + 2 * 24 * 60 * minute);
      for (let looks = 0; looks < 5; looks += 1) await this.look();
      this.mustBePaidOnce();
    }
    for (const creator of this.creators) {
      expect([creator, await withdrawStatuses(this.db, creator)]).toEqual([
        creator,
        { [month]: 'completed' },
      ]);
      expect(this.standingOf(creator)).toHaveLength(1);
    }
    const { differences } = await auditLedger(this.context());
    // These months have no works.
    expect(differences.filter(({ what }) => what !== 'month')).toEqual([]);
  }

  private sentBatches = () =>
    this.db.selectFrom('payout_batches').select('id').where('state', '=', 'sent').execute();
  private say = (what: string) => void this.said.push(`${this.now.toISOString()} ${what}`);
  private below = (limit: number) => Math.floor(this.random() * limit);
  private oneOf = <T>(among: readonly T[]): T | undefined => among[this.below(among.length)];
  private shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((one) => ({ one, place: this.random() }))
      .sort((one, other) => one.place - other.place)
      .map(({ one }) => one);
  }
}
