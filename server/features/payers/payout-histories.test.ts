import type { Kysely, KyselyPlugin } from 'kysely';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { randomOf } from '#demo/random.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { contextOn } from '#testing/context.ts';
import { earnReleased, personIn } from '#testing/fixtures/earnings.ts';
import { showAndWatch } from '#testing/fixtures/watching.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { PayModel } from '#testing/models/pay-model.ts';
import {
  type Attempt,
  type Batch,
  type PayerReport,
  PayoutModel,
  type PayoutRequest,
} from '#testing/models/payout-model.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import {
  type Fault,
  type PayoutStatus,
  type StandInPayout,
  startRazorpayx,
  type Webhook,
} from '#testing/servers/razorpayx.ts';
import { howMany, isWhole, seedOr } from '#testing/share.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { setDestination } from '../destinations/destination.ts';
import { auditLedger } from '../earnings/audit.ts';
import { addToMonths } from '../month-counts/months.ts';
import { closeMonths } from '../months/closing.ts';
import type { ApiPayer } from '../payer-services/payer.ts';
import { razorpayx as createRazorpayx } from '../payer-services/razorpayx.ts';
import { viewerOf } from '../views/viewers.ts';
import { cancelWithdrawal } from '../withdrawals/cancelling.ts';
import { releaseMonth, voidMonth } from '../withdrawals/releases.ts';
import { removeDestination } from '../withdrawals/removal.ts';
import { rejectWithdrawal } from '../withdrawals/review.ts';
import { listOwnWithdrawals, withdraw, withdrawStatuses } from '../withdrawals/withdrawals.ts';
import { approveBatch, cancelBatch, makeBatch, sendBatch } from './batches.ts';
import { completeWithdrawal } from './by-hand.ts';
import { claimNext, payOne } from './paying.ts';
import { recordPayments } from './record.ts';
import { receiveWebhook } from './webhook.ts';

/*
 * Random histories of how creators are paid, up to forty in parallel on one site, because batches and operators belong to the site. Steps
 * are killed at any query, and before or after any request to the payer; then they are repeated, as after a restart. After every step what
 * apps read agrees with an independent model, and the payers' records contain no request paid twice; at the end everybody got what the
 * ledger says. `PAYOUT_HISTORIES=10000` runs more of them (CONTRIBUTING.md).
 */
const histories = howMany('PAYOUT_HISTORIES', { share: 8, whole: 10_000 });
const atOnce = Math.min(40, Math.ceil(histories / 2));
const pairs = Math.ceil(histories / (2 * atOnce));
const steps = Math.max(9 * atOnce, isWhole ? 280 : 100);
const minute = 60_000;
const day = 24 * 60 * minute;
const timeZone = 'Asia/Kolkata';
const longAgo = new Date('2026-08-15T12:00:00Z');
const earning = ['2026-11', '2026-12', '2027-01', '2027-02'] as const;
const first = earning[0];
/** A month before all others, of which the fixture's releases are. */
const longBefore = '1026-11';
const reason = 'Looked at';

/** Further sites, those with rare cases first. */
const further = [18, 10, 20, 2, 4, 6, 8, 12, 14, 16, 22, 24];

it.each(Array.from({ length: pairs }, (_, place) => 2 * (seedOr(0) * 1000 + place)))(
  'the payments of the random sites %i and the next agree with the model after every step, and everybody is paid exactly once',
  { timeout: 300_000 },
  async (seed) => {
    const happened = await inventedPair(seed);
    if (seed !== 0 || !isWhole) return;
    // Every case that is compared must occur in the whole: if the first sites miss some, further ones are tried.
    const missing = (among: readonly Happened[]) =>
      (Object.keys(happened[0]) as (keyof Happened)[]).filter((what) =>
        among.every((one) => one[what] === 0),
      );
    const all: Happened[] = [...happened];
    for (const more of further)
      if (missing(all).length > 0) all.push(...(await inventedPair(1_000_000 + more)));
    expect(missing(all)).toEqual([]);
  },
);

type Happened = Site['happened'];

/** The second site has one operator. */
const inventedPair = (seed: number) => Promise.all([invented(seed, 3), invented(seed + 1, 1)]);

async function invented(seed: number, operators: 1 | 3): Promise<Happened> {
  const database = await freshDatabase();
  const db = await openDatabase(database.url, 4);
  const razorpayx = await startRazorpayx();
  try {
    const site = new Site(db, razorpayx, seed);
    await site.live(operators);
    const { differences } = await auditLedger(site.context());
    expect(differences).toEqual([]);
    return site.happened;
  } finally {
    await razorpayx.close();
    await db.destroy();
    await database.drop();
  }
}

class Killed extends Error {}

/** A process that dies at a query or at a request to the payer, and does nothing after that. */
class Process implements KyselyPlugin {
  /** Queries and ends of requests until it dies. */
  left = Number.POSITIVE_INFINITY;
  isDead = false;

  begin(left: number): void {
    this.left = left;
    this.isDead = false;
  }

  reach(): void {
    if (this.left <= 0) this.isDead = true;
    if (this.isDead) throw new Killed();
    this.left -= 1;
  }

  transformQuery<Node>({ node }: { node: Node }): Node {
    this.reach();
    return node;
  }

  async transformResult<Result>({ result }: { result: Result }): Promise<Result> {
    return result;
  }

  /** Wraps a request: it is not sent if the process dies before it, and its response is lost if the process dies after it. */
  around<Arguments extends unknown[], Answer>(ask: (...given: Arguments) => Promise<Answer>) {
    return async (...given: Arguments): Promise<Answer> => {
      this.reach();
      const answer = await ask(...given);
      this.reach();
      return answer;
    };
  }
}

/** What a bank did with a line of a file. */
interface Line {
  id: string;
  paise: number;
  to: string;
  state: 'accepted' | 'paid' | 'failed' | 'returned';
}

type Destination =
  | { kind: 'upi'; vpa: string }
  | { kind: 'bank'; account: string; ifsc: string; name: string };
const accountOf = (one: Destination) => (one.kind === 'upi' ? one.vpa : `${one.ifsc} ${one.account}`);
const notPaid: readonly PayoutStatus[] = ['failed', 'reversed', 'rejected', 'cancelled'];

class Site {
  readonly happened = {
    paidByFile: 0,
    paidByApi: 0,
    paidByHand: 0,
    sharedReferences: 0,
    failed: 0,
    returned: 0,
    paidAgain: 0,
    rejected: 0,
    askedAgain: 0,
    carried: 0,
    released: 0,
    takenBack: 0,
    killed: 0,
    killedWhilePaying: 0,
    lostAnswers: 0,
    refusedDestinations: 0,
    leftOut: 0,
    ownLeftOut: 0,
    cancelledInBatch: 0,
    paidCancelled: 0,
    stopped: 0,
    notCancelled: 0,
    refusedAlone: 0,
    moved: 0,
    refusedNames: 0,
    waitedForNames: 0,
    deleted: 0,
    returnedToNobody: 0,
    approvedByAnother: 0,
    webhooks: 0,
    held: 0,
  };
  private pay: PayModel = new PayModel([]);
  private model: PayoutModel = new PayoutModel([], 0);
  private readonly random: () => number;
  private readonly said: string[] = [];
  private readonly creators: string[] = [];
  private readonly viewers: string[] = [];
  private operators: { id: string; name: string }[] = [];
  private now = new Date(`${first}-02T07:00:00Z`);
  private readonly db: Kysely<Tables>;
  private readonly mortal: Kysely<Tables>;
  private readonly process = new Process();
  private readonly razorpayx: Awaited<ReturnType<typeof startRazorpayx>>;
  private readonly payer: ApiPayer;
  /** The current destination of each creator. */
  private readonly chosen = new Map<string, Destination>();
  private readonly bank = new Map<string, Line>();
  /** The bank's reports, each once, in order. */
  private readonly statements: {
    id: string;
    said: { state: 'paid'; reference: string } | { state: 'failed' | 'returned'; reason: string };
  }[] = [];
  private readonly webhooks: { payout: StandInPayout; webhook: Webhook }[] = [];
  private payerName: 'file' | 'razorpayx' = 'file';
  private approvalAbove = 0;
  private touched = new Set<string>();

  constructor(db: Kysely<Tables>, razorpayx: Awaited<ReturnType<typeof startRazorpayx>>, seed: number) {
    this.db = db;
    this.mortal = db.withPlugin(this.process);
    this.razorpayx = razorpayx;
    this.payer = createRazorpayx(this.settings());
    this.random = randomOf(seed + 90_000);
  }

  private settings = () => {
    const { RAZORPAYX_KEY_ID: keyId, RAZORPAYX_KEY_SECRET: keySecret } = this.razorpayx.settings;
    const { RAZORPAYX_ACCOUNT: account, RAZORPAYX_WEBHOOK_SECRET: webhookSecret } = this.razorpayx.settings;
    return { url: this.razorpayx.url, keyId, keySecret, account, webhookSecret };
  };

  context = (db = this.db) => {
    const usual = contextOn(db);
    const { approvalAbove, payerName: payer } = this;
    const payouts = { approvalAbove, columns: undefined, payer, razorpayx: this.settings() };
    return contextOn(db, {
      clock: () => this.now,
      config: { ...usual.config, timeZone, payouts },
      outbox: { ...noOutbox, isOn: true },
    });
  };

  async live(operators: 1 | 3): Promise<void> {
    await this.people(operators);
    for (const month of earning) await this.earn(month);
    this.now = new Date('2027-02-20T07:00:00Z');
    for (let step = 0; step < steps; step += 1) {
      // From here on the last month with earnings is over.
      if (step === steps / 2)
        this.now = new Date(Math.max(this.now.getTime(), Date.parse('2027-03-02T07:00:00Z')));
      try {
        this.passTime();
        for (const month of await closeMonths(this.context())) this.pay.close(month);
        this.touched = new Set();
        await this.oneOf(this.acts)();
        await this.check(step % 90 === 89 ? this.creators : [...this.touched].slice(0, 4));
      } catch (error) {
        throw new Error(`after ${this.said.slice(-40).join('\n')}`, { cause: error });
      }
    }
    await this.end();
  }

  private async people(operatorsOf: 1 | 3): Promise<void> {
    for (let made = 0; made < atOnce; made += 1) this.creators.push(await personIn(this.db, longAgo));
    for (let made = 0; made < 3; made += 1) this.viewers.push(await personIn(this.db, longAgo));
    await this.verifyAt(this.viewers, longAgo);
    const isAlone = operatorsOf === 1;
    const operators = [await personIn(this.db, longAgo)];
    // One of the other operators is also a creator.
    if (!isAlone) operators.push(await personIn(this.db, longAgo), this.creators[0] ?? '');
    await this.db.updateTable('people').set({ role: 'operator' }).where('id', 'in', operators).execute();
    this.operators = operators.map((id) => ({ id, name: id }));
    this.approvalAbove = isAlone ? 600 + this.below(600) : this.below(600);
    this.pay = new PayModel(this.viewers);
    this.model = new PayoutModel(operators, this.approvalAbove);
    for (const creator of this.creators) {
      const dice = this.random();
      const isOperator = operators.includes(creator);
      if (isOperator || dice < 0.7) await this.verify(creator, longAgo);
      else if (dice < 0.85) await this.verify(creator, new Date('2027-02-15T07:00:00Z'));
      else this.model.payee(creator);
      if (isOperator || this.random() < 0.8) await this.choose(creator);
    }
  }

  private async verifyAt(ids: readonly string[], at: Date): Promise<void> {
    await this.db.updateTable('people').set({ email_verified_at: at }).where('id', 'in', ids).execute();
  }

  private async verify(creator: string, at: Date): Promise<void> {
    await this.verifyAt([creator], at);
    this.model.payee(creator).verifiedAt = at.getTime();
  }

  /**
   * Publishes reels of a month, and lets viewers without a login and established accounts watch; each account watches only some creators.
   */
  private async earn(month: string): Promise<void> {
    this.now = new Date(`${month}-02T07:00:00Z`);
    const made = this.creators.map((creator) => {
      // An operator earns enough to request each month.
      const dice = this.operators.some(({ id }) => id === creator) ? 0.7 : this.random();
      const many = 1 + this.below(dice < 0.9 ? 60 : 3);
      // Coins that an operator released, with which a month reaches a rupee.
      const coins = dice >= 0.5 && dice < 0.9 ? 150 + this.below(500) : 0;
      return { creator, coins, ids: Array.from({ length: many }, () => newId(this.now)) };
    });
    const strangers = this.creators.map(() =>
      this.random() < 0.35 ? 1000 + this.below(600) : this.below(100),
    );
    const at = this.now;
    await this.db.transaction().execute(async (trx) => {
      const reels = made.flatMap(({ creator, ids }) => ids.map((id) => ({ creator, id })));
      await changeWorks(trx, () =>
        sql`
        insert into reels (id, creator_id, media_key, caption, credit, categories, state, sha256, uploaded_at, published_at)
        select id, creator, 'of tests ' || id, '', '', '{}', 'ready', decode(md5(id::text), 'hex'), ${at}, ${at}
        from unnest(${reels.map(({ id }) => id)}::uuid[], ${reels.map(({ creator }) => creator)}::uuid[]) as made (id, creator)`.execute(
          trx,
        ),
      );
      const watched = made.map(({ creator, ids }, place) => ({
        creator,
        reel: ids[0] ?? newKey(),
        views: strangers[place] ?? 0,
      }));
      const columns = sql`unnest(${watched.map(({ creator }) => creator)}::uuid[], ${watched.map(({ reel }) => reel)}::uuid[],
        ${watched.map(({ views }) => views)}::int[]) as seen (creator, reel, views)`;
      await sql`
        insert into views (creator_id, day, reel_id, viewer, signed_in, network, shown_at, watched_at, verdict)
        select creator, ${`${month}-02`}, reel, decode(md5(n || ' ' || reel::text), 'hex'), false, '', ${new Date(at.getTime() - minute)},
          ${at}, 'counted'
        from ${columns}, generate_series(1, views) n`.execute(trx);
      await sql`
        insert into reel_days (reel_id, creator_id, day, verdict, views)
        select reel, creator, ${`${month}-02`}::date, verdict, views from ${columns}, (values ('shown'), ('counted')) each (verdict)
        where views > 0`.execute(trx);
      await addToMonths(
        trx,
        made.map(({ creator, ids }, place) => ({
          creatorId: creator,
          month,
          reels: ids.length,
          views: strangers[place] ?? 0,
        })),
      );
    });
    for (const [place, { creator, coins, ids }] of made.entries()) {
      this.pay.publish(creator, month, ids.length);
      if (coins > 0) {
        await earnReleased(this.db, creator, month, coins);
        this.pay.decided.push({
          creator,
          of: longBefore,
          in: month,
          what: 'released',
          views: 10 * coins,
          coins,
        });
      }
      const many = strangers[place] ?? 0;
      if (many > 0) this.pay.watch({ creator, month, day: `${month}-02`, many });
    }
    for (let days = 0; days < 3; days += 1) {
      const views = this.viewers.flatMap((personId) => {
        const secret = this.context().keyring.secret('viewers');
        const viewer = viewerOf(secret, { personId, address: '', userAgent: '' });
        return made
          .filter((_, place) => place % 3 > 0 && this.random() < 0.5)
          .map(({ creator, ids }, place) => {
            const seen = new Date(this.now.getTime() + place * minute);
            const watched = { viewer, address: Buffer.alloc(8), signedIn: true, personId, neededMs: 4000 };
            this.pay.watch({ creator, month, day: this.dayOf(seen), account: personId, many: 1 });
            return {
              ...watched,
              reelId: ids[0] ?? '',
              issuedAt: new Date(seen.getTime() - minute),
              at: seen,
            };
          });
      });
      expect(await showAndWatch(this.context(), views)).toEqual(views.map(() => true));
      this.now = new Date(this.now.getTime() + day);
    }
  }

  private readonly acts = [
    () => this.ask(),
    ...many(11, () => this.ask()),
    ...many(3, () => this.choose()),
    () => this.remove(),
    ...many(6, () => this.changeBeforeSending()),
    ...many(2, () => this.leave()),
    () => this.verifyNow(),
    () => this.suspend(),
    ...many(3, () => this.otherPayer()),
    ...many(5, () => this.make()),
    ...many(4, () => this.approve()),
    ...many(5, () => this.send()),
    () => this.cancel(),
    ...many(5, () => this.cancelRequest()),
    ...many(2, () => this.reject()),
    ...many(3, () => this.complete()),
    ...many(2, () => this.release()),
    ...many(2, () => this.declareVoid()),
    ...many(4, () => this.bankWorks()),
    ...many(4, () => this.record()),
    () => this.failByHand(),
    ...many(12, () => this.workers()),
    ...many(4, () => this.payerWorks()),
    ...many(5, () => this.hear()),
  ] as const;

  /** Runs a step, sometimes killed at first. Returns its result, or the code of its refusal. */
  private async step<T>(
    what: string,
    creators: readonly string[],
    run: (context: ReturnType<Site['context']>) => Promise<T>,
  ): Promise<T | string> {
    for (const creator of creators) this.touched.add(creator);
    const code = (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    };
    if (this.random() < 0.3) {
      this.process.begin(this.below(14));
      try {
        const done = await run(this.context(this.mortal)).catch(code);
        if (!this.process.isDead) return this.saying(what, done);
      } catch (error) {
        if (!this.process.isDead) throw error;
      }
      this.happened.killed += 1;
      this.say(`${what} was killed`);
      // What runs in one transaction has had no effect at all.
      await this.check(creators.slice(0, 4));
    }
    return this.saying(what, await run(this.context()).catch(code));
  }

  private saying<T>(what: string, done: T): T {
    this.say(`${what}${typeof done === 'string' ? `: ${done}` : ''}`);
    return done;
  }

  private async ask(): Promise<void> {
    // Three times out of four a month that can be requested, if one is found among a few creators.
    const own = this.operators.find(({ id }) => this.creators.includes(id));
    const asker = this.random() < 0.3 ? own?.id : undefined;
    const some = Array.from({ length: 5 }, () => asker ?? this.creator()).flatMap((creator) =>
      this.pay.months(creator).map((month) => ({ creator, month })),
    );
    const wanted = some
      .filter(({ month }) => month < this.month())
      .filter(({ creator, month }) => !this.pay.covering(creator, month))
      .filter(({ creator, month }) => this.pay.payable(creator, month).paise >= 100);
    const which = this.oneOf(wanted.length > 0 && this.random() < 0.75 ? wanted : some);
    if (!which || which.month >= this.month()) return;
    const { creator, month } = which;
    const standing = this.pay.covering(creator, month);
    const alone = Math.trunc((this.pay.worth(creator).get(month)?.coins ?? 0) / 5);
    const { paise, carried } = this.pay.payable(creator, month);
    // Older apps send the amount of the month alone.
    const total = standing || this.random() < 0.5 ? alone : paise;
    const form = { userId: creator, month, totalRupee: total / 100 };
    const outcome = await this.step(`${creator} asks for ${month}`, [creator], (context) =>
      withdraw(context, creator, form),
    );
    if (standing) {
      expect(outcome).toMatchObject({ _id: standing.id });
      return;
    }
    if (!this.isOver(month)) return expect(outcome).toBe('month_not_counted');
    if (this.model.payee(creator).isSuspended) return expect(outcome).toBe('suspended');
    if (this.model.isCancelledOften(creator, month, this.now.getTime()))
      return expect(outcome).toBe('too_many_cancellations');
    if (paise < 100) return expect(outcome).toBe('below_minimum');
    expect(outcome).toMatchObject({ paise });
    if (typeof outcome === 'string') throw new Error('it was refused');
    expect(outcome.carried.map((one) => one.month)).toEqual(carried);
    const request: PayoutRequest = {
      id: outcome._id,
      creator,
      month,
      carried,
      paise,
      state: 'pending',
      askedAt: this.now.getTime(),
      reference: null,
    };
    if (this.model.requests.some((one) => one.creator === creator && one.month === month))
      this.happened.askedAgain += 1;
    if (carried.length > 0) this.happened.carried += 1;
    this.pay.requests.push(request);
    this.model.requests.push(request);
  }

  private someDestination(isLatin = this.random() < 0.5): Destination {
    const number = this.below(30);
    const name = isLatin ? 'Asha Rao' : 'आशा राव';
    return number % 2 === 0
      ? { kind: 'upi', vpa: `creator${number}@okaxis` }
      : { kind: 'bank', account: `5010001234${number + 100}`, ifsc: 'HDFC0001234', name };
  }

  private async choose(creator = this.creator(), destination = this.someDestination()): Promise<void> {
    const done = await this.step(`${creator} says ${accountOf(destination)}`, [creator], (context) =>
      setDestination(context, creator, destination),
    );
    const isTaken = destination.kind === 'upi' || /^[A-Z]/.test(destination.name);
    const isRefused = !isTaken && this.payerName !== 'file';
    this.mustBe(done, isRefused ? 'invalid_input' : undefined);
    if (isRefused) {
      this.happened.refusedNames += 1;
      return;
    }
    const now = this.now.getTime();
    this.model.choose(creator, accountOf(destination), { isLatin: isTaken, now });
    this.chosen.set(creator, destination);
  }

  /** Changes something about a payee of a batch before it is sent. */
  private async changeBeforeSending(): Promise<void> {
    const batch = this.oneOf(this.model.batches.filter(({ state }) => state === 'approved'));
    if (!batch) return;
    const creator = this.oneOf(this.creatorsOf(batch).filter((one) => this.creators.includes(one)));
    if (!creator) return;
    const dice = this.random();
    if (dice < 0.25) {
      const before = this.chosen.get(creator);
      await this.remove(creator);
      // The same destination again, which is on hold.
      if (dice < 0.15) await this.choose(creator, before);
    } else if (dice < 0.4) await this.suspend(creator, true);
    else await this.choose(creator);
    // The hold ends first.
    if (dice > 0.5) this.now = new Date(this.now.getTime() + 3 * day + minute);
    await this.send(batch);
  }

  private async leave(): Promise<void> {
    // Half of the time a creator who was paid, so that a payment can be returned after the deletion.
    const paid = this.model.requests.filter(({ state }) => state === 'completed');
    const wanted = paid.map(({ creator }) => creator).filter((one) => this.creators.includes(one));
    const creator = (this.random() < 0.5 && this.oneOf(wanted)) || this.creator();
    // The site keeps its operators, and enough payees.
    if (this.operators.some(({ id }) => id === creator) || this.creators.length <= atOnce / 2) return;
    const done = await this.step(`${creator} deletes the account`, [creator], async (context) => {
      await deleteAccount(context, creator, creator);
      return {};
    });
    const refused = this.model.leave(creator);
    this.mustBe(done, refused);
    if (refused) return;
    this.happened.deleted += 1;
    this.creators.splice(this.creators.indexOf(creator), 1);
  }

  private async remove(creator = this.creator()): Promise<void> {
    await this.step(`${creator} removes the destination`, [creator], async (context) => {
      await removeDestination(context, creator);
    });
    this.model.remove(creator);
  }

  private async verifyNow(): Promise<void> {
    const creator = this.oneOf(this.creators.filter((one) => !this.model.payee(one).verifiedAt));
    if (!creator) return;
    await this.verify(creator, this.now);
    this.touched.add(creator);
    this.say(`${creator} verifies`);
  }

  private async suspend(creator = this.creator(), isSuspended = this.random() < 0.4): Promise<void> {
    const suspended_at = isSuspended ? this.now : null;
    await this.db.updateTable('people').set({ suspended_at }).where('id', '=', creator).execute();
    this.model.payee(creator).isSuspended = isSuspended;
    this.touched.add(creator);
    this.say(`${creator} is ${isSuspended ? '' : 'not '}suspended`);
  }

  private async otherPayer(): Promise<void> {
    this.payerName = this.oneOf(['file', 'razorpayx']);
    // Their payouts may now wait for something else.
    for (const { creator, state } of this.model.requests)
      if (state === 'pending' && !this.model.payee(creator).isLatin) this.touched.add(creator);
  }

  private async make(operator = this.maker()): Promise<void> {
    const { requests, paise, needsApproval } = this.model.proposal(
      operator.id,
      this.now.getTime(),
      this.payerName,
    );
    if (this.model.hasOwnPayable(operator.id, this.now.getTime(), this.payerName))
      this.happened.ownLeftOut += 1;
    const creators = requests.map(({ creator }) => creator);
    const done = await this.step(`${operator.name} makes a batch`, creators, (context) =>
      makeBatch(context, operator, {}),
    );
    if (requests.length === 0) return expect(done).toBe('nothing_to_pay');
    if (typeof done === 'string') throw new Error(`it was refused: ${done}`);
    expect(done).toMatchObject({
      paise,
      state: needsApproval ? 'proposed' : 'approved',
      payer: this.payerName,
    });
    const ids = new Map(done.payments.map((one) => [one.withdrawalId, one._id]));
    expect([...ids.keys()].sort()).toEqual(requests.map(({ id }) => id).sort());
    this.happened.paidAgain += requests.filter((one) =>
      this.model.attemptsOf(one).some(({ state }) => state === 'failed' || state === 'returned'),
    ).length;
    this.model.make(
      {
        id: done._id,
        payer: this.payerName,
        state: needsApproval ? 'proposed' : 'approved',
        paise,
        needsApproval,
        madeAt: this.now.getTime(),
        madeBy: operator.id,
        approvedBy: undefined,
      },
      ids,
    );
  }

  private creatorsOf = (batch: Batch) =>
    this.model.attempts.filter((one) => one.batch === batch).map(({ request }) => request.creator);

  private async approve(): Promise<void> {
    const batch = this.someBatch('proposed');
    if (!batch) return;
    const maker = this.operators.find(({ id }) => id === batch.madeBy);
    const operator = (this.random() < 0.2 && maker) || this.operator();
    const done = await this.step(`${operator.name} approves ${batch.id}`, this.creatorsOf(batch), (context) =>
      approveBatch(context, operator, batch.id),
    );
    const wasProposed = batch.state === 'proposed';
    const refused = this.model.approve(batch, operator.id);
    this.mustBe(done, refused);
    if (wasProposed && !refused) this.happened.approvedByAnother += 1;
  }

  private async send(
    batch = this.someBatch('approved'),
    operator = this.operator(),
    isEnd = false,
  ): Promise<void> {
    if (!batch) return;
    const again = batch.state === 'sent' && (isEnd || this.random() < 0.8);
    const done = await this.step(`${operator.name} sends ${batch.id}`, this.creatorsOf(batch), (context) =>
      sendBatch(context, operator, { id: batch.id, again }),
    );
    const now = this.now.getTime();
    const moved = this.model.moved(batch, now).length;
    const refused = this.model.send(batch, operator.id, { again, now });
    this.mustBe(done, refused);
    if (typeof done === 'string') return;
    this.happened.moved += moved;
    this.happened.leftOut += done.data.payments.filter(({ state }) => state === 'cancelled').length;
    const wanted = this.model.attempts.filter((one) => one.batch === batch && one.state === 'with_payer');
    const lines = linesOf(done.file);
    expect(lines.map(({ id }) => id).sort()).toEqual(
      batch.payer === 'file' ? wanted.map(({ id }) => id).sort() : [],
    );
    // The file may be lost on its way to the bank, which accepts each line once.
    if (!isEnd && this.random() < 0.15) return void this.say('and the file is lost');
    for (const line of lines) {
      const attempt = this.attempt(line.id);
      expect(line).toMatchObject({ to: attempt.to, paise: attempt.request.paise });
      if (!this.bank.has(line.id)) this.bank.set(line.id, { ...line, state: 'accepted' });
    }
  }

  private async cancel(): Promise<void> {
    const batch = this.someBatch(this.oneOf(['proposed', 'approved']));
    const operator = this.operator();
    if (!batch) return;
    const done = await this.step(`${operator.name} cancels ${batch.id}`, this.creatorsOf(batch), (context) =>
      cancelBatch(context, operator, batch.id),
    );
    this.mustBe(done, this.model.cancel(batch));
  }

  /** A creator cancels a request: often one in a batch, sometimes one that was sent, is paid or was cancelled before. */
  private async cancelRequest(): Promise<void> {
    const prepared = this.model.attempts.filter(({ state }) => state === 'prepared');
    const requests = this.model.requests.filter(({ creator }) => this.creators.includes(creator));
    const unsent = requests.filter((one) => prepared.some(({ request }) => request === one));
    const request = this.oneOf(unsent.length > 0 && this.random() < 0.5 ? unsent : requests);
    if (!request) return;
    const { creator, carried } = request;
    const month = this.oneOf([request.month, ...carried]) ?? request.month;
    const wasPrepared = this.model.attemptsOf(request).some(({ state }) => state === 'prepared');
    const done = await this.step(`${creator} cancels ${month}`, [creator], (context) =>
      cancelWithdrawal(context, creator, month),
    );
    const refused = this.model.cancelRequest(creator, month, this.now.getTime());
    this.mustBe(done, refused);
    if (refused) this.happened.notCancelled += 1;
    else if (wasPrepared && request.cancelledAt !== undefined) this.happened.cancelledInBatch += 1;
  }

  private async reject(): Promise<void> {
    const request = this.oneOf(this.model.requests.filter(({ state }) => state === 'pending'));
    if (!request) return;
    const operator = this.operator();
    const waiting = this.oneOf([undefined, undefined, 'release', 'void', 'void_paid'] as const);
    const months = waiting && { waiting, reason };
    const done = await this.step(
      `${operator.name} rejects ${request.id}, ${waiting}`,
      [request.creator],
      (context) => rejectWithdrawal(context, request.id, { reason, operatorId: operator.id, months }),
    );
    const refused = this.model.reject(request, operator.id);
    this.mustBe(done, refused);
    if (refused) return;
    this.happened.rejected += 1;
    this.decideMonths(request, waiting);
  }

  /** An operator pays by hand, or has read the bank's statement and states only the request. */
  private async complete(): Promise<void> {
    const request = this.oneOf(
      this.model.requests.filter((one) => {
        const last = this.model.attemptsOf(one).at(-1);
        const isTrue = last?.batch?.payer !== 'file' || this.bank.get(last.id)?.state === 'paid';
        return last?.state !== 'with_payer' || isTrue;
      }),
    );
    if (!request) return;
    const operator = this.operator();
    const attempt = this.model.attemptsOf(request).at(-1);
    const line = attempt?.state === 'with_payer' ? this.bank.get(attempt.id) : undefined;
    const reference = line ? `UTR ${line.id}` : `by hand ${this.said.length}`;
    const now = this.now.getTime();
    const completion = { reference, operatorId: operator.id };
    const done = await this.step(`${operator.name} completes ${request.id}`, [request.creator], (context) =>
      completeWithdrawal(context, request.id, completion),
    );
    const wasCancelled = request.state === 'rejected';
    const refused = this.model.complete(request, operator.id, { reference, now });
    this.mustBe(done, refused);
    if (!refused && !line) this.happened.paidByHand += 1;
    if (!refused && wasCancelled) this.happened.paidCancelled += 1;
    if (refused === 'second_operator') this.happened.refusedAlone += 1;
  }

  private async release(): Promise<void> {
    const [creatorId, month] = this.someMonth();
    const row = await this.step(`release ${month} of ${creatorId}`, [creatorId], (context) =>
      releaseMonth(context, { creatorId, month }, { reason, operatorId: null }),
    );
    const isDone = this.isOver(month) && this.pay.release(creatorId, month, this.month());
    this.mustBeDecided(row, isDone);
    if (isDone) this.happened.released += 1;
  }

  /** Usually a month with waiting views, or with a decision. */
  private someMonth(): [creator: string, month: string] {
    const all = this.creators.flatMap((creator) =>
      this.pay.months(creator).map((month): [string, string] => [creator, month]),
    );
    const dice = this.random();
    const waiting = all.filter(([creator, month]) => this.pay.waiting(creator, month) > 0);
    // A month that was decided before cannot be decided again, or only the other way.
    const decided = this.pay.decided
      .filter(({ of }) => of >= first)
      .filter(({ creator }) => this.creators.includes(creator))
      .map(({ creator, of }): [string, string] => [creator, of]);
    const wanted = dice < 0.4 ? waiting : dice < 0.7 ? decided : all;
    return this.oneOf(wanted.length > 0 ? wanted : all) ?? ['', first];
  }

  private async declareVoid(): Promise<void> {
    const [creatorId, month] = this.someMonth();
    const what = this.oneOf(['waiting', 'paid'] as const);
    const row = await this.step(`void ${what} in ${month} of ${creatorId}`, [creatorId], (context) =>
      voidMonth(context, { creatorId, month, what }, { reason, operatorId: null }),
    );
    const isDone = this.isOver(month) && this.pay.declareVoid(creatorId, month, what, this.month());
    this.mustBeDecided(row, isDone);
    if (isDone) this.happened.takenBack += 1;
  }

  private mustBeDecided(row: unknown, isDone: boolean): void {
    const { what, views, coins, in: counts_in } = this.pay.decided.at(-1) ?? {};
    if (isDone)
      expect(row).toMatchObject({ views, counts_in, coins: what === 'released' ? coins : 0 - (coins ?? 0) });
    else expect(row).toBeUndefined();
  }

  private decideMonths({ creator, carried, month }: PayoutRequest, waiting: string | undefined): void {
    for (const one of [...carried, month].filter((of) => waiting && this.isOver(of))) {
      if (waiting === 'release') this.pay.release(creator, one, this.month());
      else this.pay.declareVoid(creator, one, 'waiting', this.month());
      if (waiting === 'void_paid') this.pay.declareVoid(creator, one, 'paid', this.month());
    }
  }

  /** Some files are paid as one transfer. */
  private referenceOf({ id }: Line): string {
    const { batch } = this.attempt(id);
    return batch && batch.madeAt % 3 > 0 ? `UTR of ${batch.id}` : `UTR ${id}`;
  }

  /** How often a payment is returned: more often if the person's account was deleted. */
  private comesBack({ request }: Attempt): number {
    return this.model.payee(request.creator).isGone ? 0.3 : 0.05;
  }

  /** The bank pays or fails, and some payments are returned. */
  private bankWorks(isEnd = false): void {
    for (const line of this.bank.values()) {
      const dice = isEnd ? 0.5 : this.random();
      if (line.state === 'accepted' && dice < 0.6) {
        line.state = dice < 0.1 ? 'failed' : 'paid';
        this.statements.push(
          line.state === 'paid'
            ? { id: line.id, said: { state: 'paid', reference: this.referenceOf(line) } }
            : { id: line.id, said: { state: 'failed', reason: 'No such account' } },
        );
      } else if (line.state === 'paid' && dice < this.comesBack(this.attempt(line.id))) {
        line.state = 'returned';
        this.statements.push({ id: line.id, said: { state: 'returned', reason: 'It came back' } });
      }
    }
    this.say('the bank works');
  }

  /** An operator records the bank's reports, some of them twice, late, or in another order. */
  private async record(wanted?: Site['statements']): Promise<void> {
    const statements =
      wanted ??
      Array.from({ length: 1 + this.below(5) }, () =>
        this.random() < 0.6 ? this.oneOf(this.statements.slice(-8)) : this.oneOf(this.statements),
      ).filter((one) => one !== undefined);
    if (statements.length === 0) return;
    const operator = wanted ? (this.operators[0] ?? this.operator()) : this.operator();
    const payments = statements.map(({ id, said }) => ({ id, ...said }));
    const attempts = statements.map(({ id }) => this.attempt(id));
    // Each report is its own transaction: if killed, all of them are recorded again.
    this.process.begin(this.random() < 0.3 ? this.below(40) : Number.POSITIVE_INFINITY);
    await recordPayments(this.context(this.mortal), operator, payments).catch((error: unknown) => {
      if (!this.process.isDead) throw error;
      this.happened.killed += 1;
      this.say('noting is killed');
    });
    const results = await recordPayments(this.context(), operator, payments);
    this.say(`${operator.name} notes ${payments.map(({ id, state }) => `${id} ${state}`)}`);
    for (const [place, attempt] of attempts.entries()) {
      this.touched.add(attempt.request.creator);
      const { said } = statements[place] ?? {};
      if (!said || this.model.isOwnRequest(operator.id, attempt.request)) continue;
      const isShared = said.state === 'paid' && this.model.isUsed(said.reference);
      const noted = isShared ? { ...said, reference: `${said.reference} ${attempt.id}` } : said;
      if (!this.note(attempt, noted, operator.id) || said.state !== 'paid') continue;
      this.happened.paidByFile += 1;
      if (isShared) this.happened.sharedReferences += 1;
    }
    if (!this.process.isDead) expect(results.filter(({ result }) => result === 'noted')).toEqual([]);
  }

  private note(attempt: Attempt, said: PayerReport, operator?: string): boolean {
    const by = operator === undefined ? undefined : { operator, now: this.now.getTime() };
    const isNew = this.model.note(attempt, said, by);
    this.touched.add(attempt.request.creator);
    if (isNew && attempt.state === 'failed') this.happened.failed += 1;
    if (isNew && attempt.state === 'returned') this.happened.returned += 1;
    if (isNew && attempt.request.state === 'pending' && this.model.payee(attempt.request.creator).isGone)
      this.happened.returnedToNobody += 1;
    return isNew;
  }

  /** An operator marks a payment by the API as failed, which is allowed only if the payer certainly has no such payment. */
  private async failByHand(): Promise<void> {
    const attempt = this.oneOf(
      this.model.attempts.filter((one) => one.batch?.payer === 'razorpayx' && one.state === 'with_payer'),
    );
    if (!attempt) return;
    const operator = this.operator();
    const payments = [{ id: attempt.id, state: 'failed' as const, reason: 'The payer has nothing of it' }];
    const [row] = await recordPayments(this.context(), operator, payments);
    this.say(`${operator.name} says that ${attempt.id} failed: ${row?.result}`);
    if (row?.result !== 'noted') return;
    expect(this.payoutOf(attempt.id)).toBeUndefined();
    this.note(attempt, { state: 'failed' });
  }

  private payoutOf(attemptId: string): StandInPayout | undefined {
    const found = [...this.razorpayx.payouts.values()].filter((one) => one.reference_id === attemptId);
    expect(found.length).toBeLessThanOrEqual(1);
    return found[0];
  }

  private async workers(): Promise<void> {
    for (let looks = 0; looks < 4 && (await this.keepPaying()); looks += 1);
  }

  /** A worker handles the next due attempt, while the payer or the worker may fail. */
  private async keepPaying(isEnd = false): Promise<boolean> {
    const due = await claimNext(this.context(), this.payer);
    if (!due) return false;
    const attempt = this.attempt(due.id);
    const fault = !isEnd && this.random() < 0.45 ? this.fault() : undefined;
    if (fault) this.razorpayx.faults.push(fault);
    const killAt = !isEnd && this.random() < 0.35 ? this.below(30) : Number.POSITIVE_INFINITY;
    this.process.begin(killAt);
    const { register, pay, find, look } = this.payer;
    const mortal: ApiPayer = {
      ...this.payer,
      register: this.process.around(register),
      pay: this.process.around(pay),
      find: this.process.around(find),
      look: this.process.around(look),
    };
    const had = this.payoutOf(due.id);
    const isStopped = this.model.isStopped(attempt, this.now.getTime());
    const outcome = await payOne(this.context(this.mortal), mortal, due, () => undefined).catch(
      (error: unknown) => {
        if (!this.process.isDead) throw error;
        return 'killed' as const;
      },
    );
    const isFaulty = fault !== undefined && this.razorpayx.faults.length === 0;
    this.razorpayx.faults.length = 0;
    this.say(`${due.id} is looked at${isFaulty ? `, ${JSON.stringify(fault)}` : ''}: ${outcome}`);
    this.touched.add(attempt.request.creator);
    const payout = this.payoutOf(due.id);
    if (payout && !had) this.begun(payout, attempt);
    const isEnded = await this.readCall(attempt);
    expect(isStopped && payout !== undefined, 'a stopped payment was requested').toBe(false);
    if (isEnded) {
      expect(isStopped).toBe(true);
      attempt.state = 'cancelled';
      this.happened.stopped += 1;
      return true;
    }
    if (outcome === 'killed') {
      this.happened.killedWhilePaying += 1;
      return true;
    }
    if (isFaulty && payout && !had && outcome === 'unknown') this.happened.lostAnswers += 1;
    const isRefused = isFaulty && fault.at !== '/v1/payouts' && fault.answer === wrongDestination;
    if (isRefused) {
      this.happened.refusedDestinations += 1;
      expect([outcome, payout]).toEqual(['not_paid', undefined]);
      this.note(attempt, { state: 'failed' });
      return true;
    }
    if (isFaulty) {
      expect(['unknown', 'refused']).toContain(outcome);
      return true;
    }
    if (attempt.state !== 'with_payer' && attempt.state !== 'paid') {
      expect(outcome).toBe('done');
      return true;
    }
    if (!payout) throw new Error(`the payer was not asked, ${isStopped}`);
    const paidOrNot = notPaid.includes(payout.status) ? 'not_paid' : 'open';
    expect(outcome).toBe(payout.status === 'processed' ? 'paid' : paidOrNot);
    this.hearOf(payout, attempt);
    return true;
  }

  /** Reads whether the payer was called, which the model cannot know if the worker was killed; returns whether it was stopped before. */
  private async readCall(attempt: Attempt): Promise<boolean> {
    const row = await this.db
      .selectFrom('payout_attempts')
      .select(['state', 'called_at', 'payer_id'])
      .where('id', '=', attempt.id)
      .executeTakeFirstOrThrow();
    attempt.isCalled = row.called_at !== null || row.payer_id !== null;
    if (this.payoutOf(attempt.id)) expect(attempt.isCalled).toBe(true);
    return row.state === 'cancelled' && attempt.state === 'with_payer';
  }

  /** Checks a new payment at the payer. */
  private begun(payout: StandInPayout, attempt: Attempt): void {
    expect(payout.amount).toBe(attempt.request.paise);
    const account = this.razorpayx.fundAccounts.find(({ id }) => id === payout.fund_account_id)?.given ?? '';
    for (const part of attempt.to?.split(' ') ?? ['nowhere']) expect(account).toContain(`"${part}"`);
  }

  private fault(): Fault {
    const answer = this.oneOf([
      'reset',
      { status: 500, body: '{}' },
      { status: 409, body: '{}' },
      { status: 200, body: '{"id":7}' },
      { status: 401, body: '{"error":{"description":"Authentication failed"}}' },
    ] as const);
    return this.oneOf([
      { at: '/v1/payouts', answer: answer, doesIt: answer === 'reset' || answer.status !== 401 },
      { at: '/v1/payouts', answer: answer, doesIt: answer === 'reset' || answer.status !== 401 },
      { at: '/v1/payouts', answer },
      { at: '/v1/payouts', method: 'GET', answer },
      { at: '/v1/contacts', answer },
      { at: '/v1/fund_accounts', answer },
      ...many(2, { at: '/v1/fund_accounts', answer: wrongDestination } as const),
    ] as const);
  }

  /** Applies a payer's report, polled or from a webhook, to the model. */
  private hearOf(payout: Pick<StandInPayout, 'status' | 'utr' | 'id'>, attempt: Attempt): void {
    if (payout.status === 'processed') {
      const utr = payout.utr ?? payout.id;
      const isUsed = this.model.isUsed(utr) && attempt.reference !== utr;
      const reference = isUsed ? `${utr} ${payout.id}` : utr;
      if (this.note(attempt, { state: 'paid', reference })) this.happened.paidByApi += 1;
    } else if (notPaid.includes(payout.status)) this.note(attempt, { state: 'returned' });
  }

  /** Payments by the API proceed: some are paid, fail, or are returned. */
  private payerWorks(isEnd = false): void {
    for (const payout of this.razorpayx.payouts.values()) {
      const dice = isEnd ? 0.5 : this.random();
      if (payout.status === 'processing' && dice < 0.6) {
        const status =
          dice < 0.1 ? this.oneOf(['failed', 'rejected', 'cancelled', 'reversed'] as const) : 'processed';
        this.razorpayx.move(payout, status, status === 'processed' ? '' : 'The bank says no');
        const others = [...this.razorpayx.payouts.values()].filter(({ utr }) => utr !== null);
        // A bank may give the same number to several payments, or none.
        if (dice > 0.55 && !isEnd) payout.utr = this.oneOf([null, this.oneOf(others)?.utr ?? null]);
      } else if (
        payout.status === 'processed' &&
        dice < this.comesBack(this.attempt(payout.reference_id ?? ''))
      )
        this.razorpayx.move(payout, 'reversed', 'The bank returned it');
      else continue;
      if (this.random() < 0.7)
        this.webhooks.push({ payout: { ...payout }, webhook: this.razorpayx.webhook(payout) });
    }
    this.say('the payer works');
  }

  /** A webhook arrives: in any order, twice, or never. It is repeated if it got no response. */
  private async hear(): Promise<void> {
    const told = this.random() < 0.6 ? this.webhooks.at(-1) : this.oneOf(this.webhooks);
    if (!told) return;
    const attempt = this.attempt(told.payout.reference_id ?? '');
    const signed = { bytes: Buffer.from(told.webhook.payload), headers: told.webhook.headers };
    this.process.begin(this.random() < 0.3 ? this.below(25) : Number.POSITIVE_INFINITY);
    const times = this.random() < 0.2 ? 2 : 1;
    for (let time = 0; time < times; time += 1)
      await receiveWebhook(this.context(this.mortal), signed, () => undefined).catch((error: unknown) => {
        if (!this.process.isDead) throw error;
      });
    if (this.process.isDead) {
      this.happened.killed += 1;
      await receiveWebhook(this.context(), signed, () => undefined);
    }
    this.happened.webhooks += 1;
    this.say(`webhook: ${attempt.id} ${told.payout.status}`);
    this.hearOf(told.payout, attempt);
  }

  private attempt(id: string): Attempt {
    const found = this.model.attempts.find((one) => one.id === id);
    if (!found) throw new Error(`nobody made the attempt ${id}`);
    return found;
  }

  /** Compares what the creators' apps read, and what the payers have, with the model. */
  private async check(creators: readonly string[]): Promise<void> {
    const now = this.now.getTime();
    for (const creator of creators) {
      const [statuses, { data }] = await Promise.all([
        withdrawStatuses(this.db, creator),
        listOwnWithdrawals(this.context(), creator, { limit: 100 }),
      ]);
      expect(statuses).toEqual(this.model.statuses(creator));
      if (data.some(({ payout }) => payout === 'on_hold')) this.happened.held += 1;
      if (data.some(({ payout }) => payout === 'waiting_for_name')) this.happened.waitedForNames += 1;
      const shown = new Map(
        data.map(({ _id, status, payout, reference, steps: all }) => [
          _id,
          { status, payout, reference, steps: all.map(({ step }) => step) },
        ]),
      );
      const requests = this.model.requests.filter((one) => one.creator === creator);
      expect(shown).toEqual(
        new Map(
          requests.map((one) => [
            one.id,
            { ...this.model.shown(one, now, this.payerName), reference: one.reference },
          ]),
        ),
      );
    }
    this.mustBePaidOnce();
  }

  /** All payments that payers have made or may still make, by request. */
  private paid(): Map<PayoutRequest, { paise: number; isFinal: boolean }[]> {
    const paid = new Map<PayoutRequest, { paise: number; isFinal: boolean }[]>(
      this.model.requests.map((request) => [request, []]),
    );
    const add = (attempt: Attempt, paise: number, isFinal: boolean) =>
      paid.get(attempt.request)?.push({ paise, isFinal });
    for (const { id, paise, state } of this.bank.values())
      if (state === 'paid' || state === 'accepted') add(this.attempt(id), paise, state === 'paid');
    for (const { reference_id, amount, status } of this.razorpayx.payouts.values())
      if (!notPaid.includes(status)) add(this.attempt(reference_id ?? ''), amount, status === 'processed');
    for (const one of this.model.attempts) if (!one.batch) add(one, one.request.paise, true);
    return paid;
  }

  private mustBePaidOnce(): void {
    for (const [{ id, state }, payments] of this.paid()) {
      if (payments.length > 1) throw new Error(`${id} is paid ${payments.length} times`);
      if (state === 'rejected' && payments.length > 0) throw new Error(`${id} was rejected, and is paid`);
    }
  }

  /** Makes everybody payable, records all reports, and checks that everybody got what the ledger says. */
  private async end(): Promise<void> {
    this.say('the end');
    for (const creator of this.creators) {
      if (this.model.payee(creator).isSuspended) await this.suspend(creator, false);
      if (!this.model.payee(creator).verifiedAt) await this.verify(creator, this.now);
      const { destination, isLatin } = this.model.payee(creator);
      if (!destination || !isLatin) await this.choose(creator, this.someDestination(true));
    }
    let rounds = 0;
    do {
      rounds += 1;
      if (rounds > 60) throw new Error('some requests are never paid');
      this.now = new Date(this.now.getTime() + 4 * day);
      await this.settle();
      await this.rejectOfDeleted();
      await this.make(this.operators[0]);
    } while (this.model.requests.some(({ state }) => state === 'pending'));
    await this.check(this.creators);
    const paid = this.paid();
    const { rows } = await sql<{ id: string; paise: number }>`
      select withdrawal_id as id, sum(case step when 'completed' then paise else -paise end)::int as paise
      from ledger_transactions where step in ('completed', 'returned') group by 1`.execute(this.db);
    const books = new Map(rows.map(({ id, paise }) => [id, paise]));
    for (const request of this.model.requests) {
      const { id, state, paise } = request;
      const payments = state === 'completed' ? [{ paise, isFinal: true }] : [];
      expect([id, paid.get(request), books.get(id) ?? 0]).toEqual([
        id,
        payments,
        state === 'completed' ? paise : 0,
      ]);
    }
  }

  /** A payment that was returned after its account was deleted is paid to nobody. */
  private async rejectOfDeleted(): Promise<void> {
    const [operator = { id: '' }] = this.operators;
    for (const request of this.model.requests) {
      if (request.state !== 'pending' || !this.model.payee(request.creator).isGone) continue;
      await rejectWithdrawal(this.context(), request.id, { reason, operatorId: operator.id });
      expect(this.model.reject(request, operator.id)).toBeUndefined();
    }
  }

  /** Sends all open batches, and lets the payers finish. */
  private async settle(): Promise<void> {
    for (const batch of this.model.batches.filter(({ state }) => state === 'proposed')) {
      const other = this.operators.find(({ id }) => id !== batch.madeBy && !this.creators.includes(id));
      if (!other) throw new Error('nobody can approve');
      await approveBatch(this.context(), other, batch.id);
      expect(this.model.approve(batch, other.id)).toBeUndefined();
    }
    for (const batch of this.model.batches.filter(({ state }) => state === 'approved' || state === 'sent'))
      await this.send(batch, this.operators[0], true);
    this.bankWorks(true);
    await this.record(this.statements);
    while (await this.keepPaying(true)) this.say('and the next');
    this.payerWorks(true);
    this.now = new Date(this.now.getTime() + 2 * 60 * minute);
    while (await this.keepPaying(true)) this.say('and the next');
  }

  /** A batch in this state, or sometimes any batch. */
  private someBatch(state: Batch['state']): Batch | undefined {
    const wanted = this.model.batches.filter((one) => one.state === state);
    return this.oneOf(wanted.length > 0 && this.random() < 0.75 ? wanted : this.model.batches);
  }

  private mustBe(done: unknown, refused: string | undefined): void {
    if (refused) expect(done).toBe(refused);
    else expect(typeof done).toBe('object');
  }

  /** Advances time by minutes, hours or days. */
  private passTime(): void {
    const dice = this.random();
    const longest = dice < 0.6 ? 20 * minute : dice < 0.9 ? 5 * 60 * minute : 1.7 * day;
    this.now = new Date(this.now.getTime() + this.below(longest) + 1);
  }

  private dayOf = (at = this.now) =>
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(at);
  private month = () => this.dayOf().slice(0, 7);
  /** Whether a month is counted: a quarter of an hour after its end. */
  private isOver = (month: string) =>
    month < this.dayOf(new Date(this.now.getTime() - 15 * minute)).slice(0, 7);
  private creator = () => this.oneOf(this.creators) ?? '';
  /** Usually an operator who has a payable request of their own. */
  private maker(): { id: string; name: string } {
    const now = this.now.getTime();
    const own = this.operators.find(({ id }) => this.model.hasOwnPayable(id, now, this.payerName));
    return (this.random() < 0.7 && own) || this.operator();
  }
  private operator = () => this.oneOf(this.operators) ?? { id: '', name: '' };
  private say = (what: string) => void this.said.push(`${this.now.toISOString()} ${what}`);
  private below = (limit: number) => Math.floor(this.random() * limit);
  private oneOf<const Many extends readonly unknown[]>(among: Many): OneOf<Many> {
    return among[this.below(among.length)] as OneOf<Many>;
  }
}

type OneOf<Many extends readonly unknown[]> = Many extends readonly [unknown, ...unknown[]]
  ? Many[number]
  : Many[number] | undefined;

const wrongDestination = {
  status: 400,
  body: '{"error":{"description":"The account is closed","reason":"input_validation_failed"}}',
};

const many = <T>(times: number, one: T): T[] => Array.from({ length: times }, () => one);

function linesOf(file: string): Omit<Line, 'state'>[] {
  const rows = file.split('\r\n').map((row) => [...row.matchAll(/"([^"]*)"/g)].map(([, cell = '']) => cell));
  const [headings = [], ...lines] = rows.filter((row) => row.length > 0);
  return lines.map((cells) => {
    const read = (heading: string) => cells[headings.indexOf(heading)] ?? '';
    const account = `${read('ifsc')} ${read('account').replace("'", '')}`;
    return {
      id: read('id'),
      paise: Math.round(Number(read('rupees')) * 100),
      to: read('payTo') === 'upi' ? read('vpa') : account,
    };
  });
}
