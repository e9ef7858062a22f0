import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { expect, it } from 'vitest';
import { jobKinds } from '#server/boot/run-jobs.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { adminOn } from '#testing/servers/admin-command.ts';
import { anotherRecoveryCode, enrolOperator } from '#testing/servers/operators.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { startRazorpayx } from '#testing/servers/razorpayx.ts';
import { signUpSomebody, startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { someOf } from '#testing/share.ts';
import { makeBackup } from '../backup/backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import { auditLedger } from '../earnings/audit.ts';
import type { ApiPayer } from '../payer-services/payer.ts';
import { apiPayerOf } from '../payer-services/payers.ts';
import { withdrawStatuses } from '../withdrawals/withdrawals.ts';
import { makeBatch, sendBatch } from './batches.ts';
import { claimNext, payOne } from './paying.ts';
import { recordPayments } from './record.ts';
import { findLock } from './shown-lock.ts';
import { identifyPayment, reconcileSinceRestore } from './since-restore.ts';

/*
 * A site that pays is backed up, continues to pay, and is restored from that backup by an operator's commands
 * (docs/decisions/0069-after-a-restore.md).
 */
const month = '2020-01';
type Context = TestServer['context'];
/** An attempt: its id, and the withdrawal that it pays. */
interface Sent {
  id: string;
  withdrawal: string;
}
interface Payments {
  settings: Record<string, string>;
  /** Pays what was sent, and records it. */
  pays(context: Context, sent: readonly Sent[]): Promise<void>;
  /** Returns a payment, and records that. */
  takesBack(context: Context, sent: Sent): Promise<void>;
  /** The files that an operator passes to `payouts reconcile`, one after the other. */
  files(since: Date): string[];
  /** The withdrawals of the payments that were not returned. */
  standing(withdrawalOf: (attemptId: string) => string): string[];
}

/** A bank that receives files, and remembers what it paid. */
function aBank(operator: () => { id: string; name: string }): Payments {
  const paid = new Map<string, Sent & { at: Date; isBack: boolean }>();
  return {
    settings: {},
    async pays(context, sent) {
      for (const one of sent) paid.set(one.id, { ...one, at: new Date(), isBack: false });
      const outcomes = sent.map(({ id }) => ({ id, state: 'paid' as const, reference: `UTR ${id}` }));
      await recordPayments(context, operator(), outcomes);
    },
    async takesBack(context, { id }) {
      Object.assign(paid.get(id) ?? {}, { at: new Date(), isBack: true });
      await recordPayments(context, operator(), [{ id, state: 'returned', reason: 'The account is closed' }]);
    },
    files(since) {
      const lines = [...paid.values()].filter(({ at }) => at > since);
      const outcome = ({ id, isBack }: { id: string; isBack: boolean }) =>
        isBack ? `returned,,The account is closed` : `paid,UTR ${id},`;
      return [
        // First the file of what was paid, then the statement.
        ['id,withdrawal,rupees', ...lines.map(({ id, withdrawal }) => `${id},${withdrawal},1.00`)].join('\n'),
        ['id,state,reference,reason', ...lines.map((one) => `${one.id},${outcome(one)}`)].join('\n'),
      ];
    },
    standing: (withdrawalOf) =>
      [...paid.values()].filter(({ isBack }) => !isBack).map(({ id }) => withdrawalOf(id)),
  };
}

/** Polls the payer with an API about everything, as if it were due. */
async function look(context: Context): Promise<void> {
  const payer = apiPayerOf(context.config.payouts) as ApiPayer;
  await context.db
    .updateTable('payout_attempts')
    .set({ look_at: new Date(0) })
    .where('look_at', 'is not', null)
    .execute();
  for (let one = await claimNext(context, payer); one; one = await claimNext(context, payer))
    await payOne(context, payer, one, () => undefined);
}

function theApi(razorpayx: Awaited<ReturnType<typeof startRazorpayx>>): Payments {
  return {
    settings: razorpayx.settings,
    async pays(context, sent) {
      await look(context);
      for (const { id } of sent) razorpayx.move(razorpayx.of(id), 'processed');
      await look(context);
    },
    async takesBack(context, { id }) {
      razorpayx.move(razorpayx.of(id), 'reversed', 'The account is closed');
      await look(context);
    },
    files: () => [],
    standing: (withdrawalOf) =>
      [...razorpayx.payouts.values()]
        .filter(({ status }) => status === 'processed')
        .map(({ reference_id }) => withdrawalOf(reference_id ?? '')),
  };
}

it.each(someOf(['file', 'razorpayx'] as const, 1))(
  'a site that was restored pays by %s what was not paid since its backup, and nothing else',
  async (name) => {
    const razorpayx = await startRazorpayx();
    let ravi = { id: '', name: '' };
    const payments = name === 'file' ? aBank(() => ravi) : theApi(razorpayx);
    const server = await startTestServer({ ROLE: 'web', ...payments.settings });
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-restored-site-'));
    const empty = await freshDatabase();
    const db = await openDatabase(empty.url, 4);
    try {
      const operator = await signUpSomebody(server, 'Ravi');
      await enrolOperator(server, operator);
      ravi = { id: operator.id, name: operator.username };
      const withdrawals = new Map<string, string>();
      const asked = async () => {
        const { id: creator } = await signUpSomebody(server, 'Creator');
        return { creator, ...(await requestedWithdrawal(server, creator, month)) };
      };
      const batchOf = async (context: Context, ids?: string[]) => {
        const made = await makeBatch(context, ravi, { withdrawals: ids });
        return {
          id: made._id,
          sent: made.payments.map(({ _id: id, withdrawalId: withdrawal }): Sent => {
            withdrawals.set(id, withdrawal);
            return { id, withdrawal };
          }),
        };
      };
      const send = (context: Context, { id }: { id: string }) =>
        sendBatch(context, ravi, { id, again: false });
      const [paid, sent, prepared, later, waiting] = [
        await asked(),
        await asked(),
        await asked(),
        await asked(),
        await asked(),
      ];
      const batches = [
        await batchOf(server.context, [paid.id]),
        await batchOf(server.context, [sent.id]),
        await batchOf(server.context, [prepared.id]),
      ] as const;
      await send(server.context, batches[0]);
      await payments.pays(server.context, batches[0].sent);
      await send(server.context, batches[1]);
      const mail = {
        id: v7(),
        recipient: 'asha@people.example',
        recipient_key: v7(),
        template: 'withdrawal_paid',
      };
      const at = new Date();
      await server.db
        .insertInto('mails')
        .values({
          ...mail,
          person_id: paid.creator,
          parameters: null,
          is_notice: true,
          created_at: at,
          next_try_at: at,
        })
        .execute();
      const madeAt = new Date();
      await makeBackup(server, join(folder, 'backup'), undefined, madeAt);

      // After the backup the sent batch is paid, the prepared one and a new one are sent and paid, and one payment is returned.
      await send(server.context, batches[2]);
      const since = await batchOf(server.context, [later.id]);
      await send(server.context, since);
      await payments.pays(server.context, [...batches[1].sent, ...batches[2].sent, ...since.sent]);
      const [returned] = batches[0].sent;
      if (!returned) throw new Error('nothing was sent');
      await payments.takesBack(server.context, returned);
      const before = await statesOf(server.context, [paid, sent, prepared, later, waiting]);
      expect(before).toEqual(['pending', 'completed', 'completed', 'completed', 'pending']);

      const dataDir = join(folder, 'data');
      const target = { dataDir, databaseUrl: empty.url, storage: { kind: 'disk' }, jobKinds } as const;
      await restoreBackup(join(folder, 'backup'), target, () => undefined);
      const restored = { ...server.context, db };
      expect(await db.selectFrom('mails').select('outcome').execute()).toEqual([{ outcome: 'dropped' }]);
      expect(await findLock(db)).toMatchObject({ since: madeAt });
      await expect(batchOf(restored)).rejects.toThrow(/^Payouts are locked/);
      expect(await statesOf(restored, [paid, sent, prepared, later, waiting])).toEqual([
        'completed',
        'pending',
        'pending',
        'pending',
        'pending',
      ]);

      const command = async (...words: string[]) => {
        const keys = { KEYS_DIR: join(server.dataDir, 'keys') };
        const settings = { DATABASE_URL: empty.url, DATA_DIR: dataDir, ...keys, ...payments.settings };
        const code = await anotherRecoveryCode({ db }, ravi.id);
        return await adminOn(settings, ['payouts', ...words, '--as', ravi.name, '--code', code]);
      };
      const files = payments.files(madeAt);
      for (const [place, text] of files.entries()) {
        const path = join(folder, `${place}.csv`);
        await writeFile(path, text);
        const isLast = place === files.length - 1;
        const { code, err } = await command('reconcile', '--file', path, '--complete', String(isLast));
        expect([code, err]).toEqual([isLast ? 0 : 1, '']);
      }
      if (name === 'razorpayx') {
        // An earlier version sent only the id of the attempt, which the backup does not know.
        const [unknown] = since.sent;
        razorpayx.of(unknown?.id ?? '').notes = [];
        const compared = await command('reconcile', '--complete', 'true');
        expect(compared).toMatchObject({ code: 1, out: expect.stringContaining(unknown?.id ?? '') });
        expect(compared.out).toMatch(/^3 noted, 0 unchanged, 1 without a match\./);
        const named = await command('name', unknown?.id ?? '', '--withdrawal', later.id);
        expect(named).toMatchObject({ code: 0 });
        expect(await command('reconcile', '--complete', 'true')).toMatchObject({
          code: 0,
          out: '0 noted, 4 unchanged, 0 without a match.\nPayouts are not locked.\n',
        });
      }
      expect(await findLock(db)).toBeUndefined();
      expect(await statesOf(restored, [paid, sent, prepared, later, waiting])).toEqual(before);

      // The only operator pays again what they recorded as returned 72 hours after that.
      await db
        .updateTable('payout_attempts')
        .set({ ended_at: new Date(0) })
        .where('state', '=', 'returned')
        .execute();
      const next = await batchOf(restored);
      expect(next.sent.map(({ withdrawal }) => withdrawal).sort()).toEqual([paid.id, waiting.id].sort());
      await send(restored, next);
      await send(restored, batches[2]);
      await payments.pays(restored, next.sent);
      expect(await statesOf(restored, [paid, sent, prepared, later, waiting])).toEqual(
        Array.from({ length: 5 }, () => 'completed'),
      );
      expect(payments.standing((id) => withdrawals.get(id) ?? '').sort()).toEqual(
        [paid.id, sent.id, prepared.id, later.id, waiting.id].sort(),
      );
      const { differences } = await auditLedger(restored);
      // These months have no works, so the audit reports them.
      expect(differences.filter(({ what }) => what !== 'month')).toEqual([]);
    } finally {
      await db.destroy();
      await empty.drop();
      await server.close();
      await razorpayx.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

it.each(someOf(['it says', 'an operator says'] as const, 1))(
  'a payment that the payer had at the backup and that ended since does not hide the next one, of which %s which withdrawal it paid [long]',
  async (who) => {
    const razorpayx = await startRazorpayx();
    const server = await startTestServer({ ROLE: 'web', ...razorpayx.settings });
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-restored-attempts-'));
    const empty = await freshDatabase();
    const db = await openDatabase(empty.url, 4);
    try {
      const ravi = { id: (await signUpSomebody(server, 'Ravi')).id, name: 'Ravi' };
      const asked = async (vpa = 'asha@okaxis') => {
        const { id: creator } = await signUpSomebody(server, 'Creator');
        const one = { creator, ...(await requestedWithdrawal(server, creator, month)) };
        await paidAt(one, vpa);
        return one;
      };
      const paidAt = async ({ creator: personId }: { creator: string }, vpa: string) => {
        const details = JSON.stringify({ kind: 'upi', vpa });
        await server.db
          .updateTable('payout_destinations')
          .set({ details: server.keyring.encrypt(details, { personId, kind: 'payout destination' }) })
          .where('person_id', '=', personId)
          .execute();
      };
      /** Gives these withdrawals to the payer; returns their attempts. */
      const send = async (...withdrawals: { id: string }[]) => {
        const ids = withdrawals.map(({ id }) => id);
        const made = await makeBatch(server.context, ravi, { withdrawals: ids });
        await sendBatch(server.context, ravi, { id: made._id, again: false });
        return ids.map((id) => made.payments.find((one) => one.withdrawalId === id)?._id ?? '');
      };
      const all = [await asked(), await asked(), await asked('it is@none')] as const;
      const [returned, failed, refused] = all;
      const [first = '', second = ''] = await send(returned, failed);
      await look(server.context);
      razorpayx.move(razorpayx.of(first), 'processed');
      await look(server.context);
      await send(refused);
      // These are older than the records that are compared.
      for (const payout of razorpayx.payouts.values()) payout.created_at -= 2 * 24 * 60 * 60;
      await makeBackup(server, join(folder, 'backup'), undefined, new Date());

      razorpayx.move(razorpayx.of(first), 'reversed', 'The account is closed');
      razorpayx.move(razorpayx.of(second), 'failed', 'The account is closed');
      await look(server.context);
      await paidAt(refused, 'asha@okaxis');
      const next = await send(...all);
      await look(server.context);
      const [next1 = '', next2 = '', next3 = ''] = next;
      razorpayx.move(razorpayx.of(next1), 'processed');
      razorpayx.move(razorpayx.of(next3), 'processed');

      const dataDir = join(folder, 'data');
      const target = { dataDir, databaseUrl: empty.url, storage: { kind: 'disk' }, jobKinds } as const;
      await restoreBackup(join(folder, 'backup'), target, () => undefined);
      const restored = { ...server.context, db };
      const reconcile = () =>
        reconcileSinceRestore(restored, ravi, { payments: [], complete: true, none: false });
      if (who === 'an operator says') {
        // Like payments that an earlier version requested.
        for (const payout of razorpayx.payouts.values()) payout.notes = [];
        expect((await reconcile()).unmatched.map(({ payment }) => payment).sort()).toEqual(next.toSorted());
        await identifyPayment(restored, ravi, { payment: next1, withdrawal: returned.id });
        await identifyPayment(restored, ravi, { payment: next2, userId: failed.creator, month });
        await identifyPayment(restored, ravi, { payment: next3, withdrawal: refused.id });
      }
      expect(await reconcile()).toMatchObject({ lock: null, unmatched: [] });
      expect(await statesOf(restored, all)).toEqual(['completed', 'pending', 'completed']);

      await look(restored);
      await expect(makeBatch(restored, ravi, {})).rejects.toThrow('No withdrawal can be paid');
      razorpayx.move(razorpayx.of(next2), 'processed');
      await look(restored);
      expect(await statesOf(restored, all)).toEqual(['completed', 'completed', 'completed']);
      expect(razorpayx.payouts.size).toBe(5);
      const { differences } = await auditLedger(restored);
      expect(differences.filter(({ what }) => what !== 'month')).toEqual([]);
    } finally {
      await db.destroy();
      await empty.drop();
      await server.close();
      await razorpayx.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** As apps read them. */
async function statesOf({ db }: Context, asked: readonly { creator: string }[]): Promise<string[]> {
  const states: string[] = [];
  for (const { creator } of asked) states.push((await withdrawStatuses(db, creator))[month] ?? '');
  return states;
}
