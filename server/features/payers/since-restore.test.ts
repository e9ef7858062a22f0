import type { Kysely } from 'kysely';
import { v7 } from 'uuid';
import { beforeEach, describe, expect, it } from 'vitest';
import { recordedPayment } from '#contract/since-restore.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn } from '#testing/context.ts';
import { earnReleased, personIn, requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { payWithdrawal } from '#testing/fixtures/payouts.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { auditLedger } from '../earnings/audit.ts';
import { cancelWithdrawal } from '../withdrawals/cancelling.ts';
import { lockPayouts } from '../withdrawals/payout-lock.ts';
import { rejectWithdrawal } from '../withdrawals/review.ts';
import { withdraw } from '../withdrawals/withdrawals.ts';
import { approveBatch, cancelBatch, listBatches, makeBatch, sendBatch } from './batches.ts';
import { completeWithdrawal } from './by-hand.ts';
import { claimNext } from './paying.ts';
import { recordPayments } from './record.ts';
import {
  compareRecord,
  identifyPayment,
  liftLock,
  parsePayment,
  type RecordedPayment,
  recordOf,
} from './since-restore.ts';

/* After a restore nobody is paid until the payer's record was compared (docs/decisions/0069-after-a-restore.md). */
const now = new Date('2026-11-20T12:00:00+05:30');
const snapshotAt = new Date('2026-11-18T03:00:00+05:30');
const operator = { id: v7(), name: 'Ravi' };
const other = { id: v7(), name: 'Uma' };

let db: Kysely<Tables>;
beforeEach(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 6);
  return async () => {
    await db.destroy();
    await database.drop();
  };
});
const context = () => contextOn(db, { clock: () => now });
const lock = () => lockPayouts(db, { snapshotAt, restoredAt: now });
const asked = async (month = '2026-10') => {
  const creator = await personIn(db, new Date('2026-01-01'));
  return { creator, ...(await requestedWithdrawal(context(), creator, month)) };
};
const make = () => makeBatch(context(), operator, {});
const read = (row: Record<string, string>): RecordedPayment => parsePayment(recordedPayment.parse(row));
const record = (...rows: Record<string, string>[]) =>
  compareRecord(
    context(),
    operator,
    rows.map((row) => read(row)),
  );
const lift = (how: 'compared' | 'none' = 'compared') => liftLock(context(), operator, how);
const stateOf = async (id: string) =>
  await db.selectFrom('withdrawals').select(['state', 'reference']).where('id', '=', id).executeTakeFirst();
const attemptsOf = async (id: string) =>
  (
    await db
      .selectFrom('payout_attempts')
      .select(['id', 'state'])
      .where('withdrawal_id', '=', id)
      .orderBy('number')
      .execute()
  ).map(({ state }) => state);
const code = async (doing: Promise<unknown>) =>
  await doing.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );
const differences = async () =>
  // These months have no works.
  (await auditLedger(context())).differences.filter(({ what }) => what !== 'month');
const paid = (id: string, reference = `UTR ${v7()}`) => ({ id, state: 'paid', reference });

describe('while payouts are locked', () => {
  it('no batch is made, approved, sent or cancelled, and no withdrawal is decided', async () => {
    const [one] = [await asked(), await asked()];
    const { _id: id, payments } = await makeBatch(context(), operator, { withdrawals: [one.id] });
    await lock();
    const [payment] = payments;
    const doing = [
      () => make(),
      () => approveBatch(context(), other, id),
      () => sendBatch(context(), operator, { id, again: false }),
      () => sendBatch(context(), operator, { id, again: true }),
      () => cancelBatch(context(), operator, id),
      () => completeWithdrawal(context(), one.id, { reference: 'UTR 1', operatorId: operator.id }),
      () => rejectWithdrawal(context(), one.id, { reason: 'No', operatorId: operator.id }),
    ];
    for (const each of doing) expect(await code(each())).toBe('payouts_locked');
    const [said] = await recordPayments(context(), operator, [
      { id: payment?._id ?? '', state: 'paid', reference: 'UTR 1' },
    ]);
    expect(said?.result).toBe('refused');
    expect(said?.error).toMatch(/^Payouts are locked/);
    expect(await attemptsOf(one.id)).toEqual(['prepared']);
    expect(await listBatches(db, { limit: 10 })).toMatchObject({
      lock: { since: snapshotAt.toISOString(), restoredAt: now.toISOString(), unmatched: 0 },
    });
  });

  it('a withdrawal can be requested', async () => {
    await lock();
    const creator = await personIn(db, new Date('2026-01-01'));
    await earnReleased(db, creator, '2026-10');
    const form = { userId: creator, month: '2026-10', totalRupee: '1.00' };
    expect(await withdraw(context(), creator, form)).toMatchObject({ status: 'pending' });
  });

  it('an operator can say that nothing was paid since, which is logged', async () => {
    await lock();
    await lift('none');
    expect((await listBatches(db, { limit: 10 })).lock).toBeNull();
    const [act] = await db.selectFrom('audit_log').selectAll().execute();
    expect(act).toMatchObject({ act: 'payout.unlock', operator_id: operator.id, details: { how: 'none' } });
    expect(await code(lift('none'))).toBe('payouts_locked');
  });
});

describe("the payer's record after a restore", () => {
  it('pays what was prepared before the snapshot and sent after it, once', async () => {
    const one = await asked();
    const { _id: id, payments } = await make();
    await lock();
    const row = paid(payments[0]?._id ?? '');
    expect(await record(row)).toEqual({ noted: 1, unchanged: 0, unmatched: [] });
    expect(await record(row)).toEqual({ noted: 0, unchanged: 1, unmatched: [] });
    expect(await stateOf(one.id)).toEqual({ state: 'completed', reference: row.reference });
    await lift();
    const { data } = await sendBatch(context(), operator, { id, again: false });
    expect(data.state).toBe('cancelled');
    expect(await attemptsOf(one.id)).toEqual(['paid']);
    expect(await differences()).toEqual([]);
  });

  it('may have one reference for payments of a file that the restored database does not have', async () => {
    const all = [await asked(), await asked()];
    await lock();
    const rows = all.map(({ id: withdrawal }) => ({ ...paid(v7(), 'UTR 1'), withdrawal, rupees: '1.00' }));
    expect(await record(...rows)).toEqual({ noted: 2, unchanged: 0, unmatched: [] });
    expect(await record(...rows)).toEqual({ noted: 0, unchanged: 2, unmatched: [] });
    await lift();
    expect(await stateOf(all[1]?.id ?? '')).toEqual({
      state: 'completed',
      reference: `UTR 1 ${rows[1]?.id}`,
    });
    expect(await differences()).toEqual([]);
  });

  it('may be the file of a batch as it was sent: the payer has its payments, and they are not sent again', async () => {
    const [one, two] = [await asked(), await asked()];
    const { _id: id, payments } = await makeBatch(context(), operator, { withdrawals: [one.id] });
    await lock();
    // The second withdrawal was put in a batch after the snapshot.
    const later = v7();
    const sent = { withdrawal: two.id, rupees: '1.00' };
    expect(
      await record({ id: payments[0]?._id ?? '', rupees: '1.00' }, { id: later, ...sent }),
    ).toMatchObject({ noted: 2 });
    await lift();
    expect((await sendBatch(context(), operator, { id, again: false })).file.split('\r\n')).toHaveLength(2);
    expect(await code(make())).toBe('nothing_to_pay');
    await recordPayments(context(), operator, [{ id: later, state: 'paid', reference: 'UTR 2' }]);
    expect(await stateOf(two.id)).toEqual({ state: 'completed', reference: 'UTR 2' });
    expect(await differences()).toEqual([]);
  });

  it('pays by attempts that the restored database does not have, and ends those that were replaced', async () => {
    const one = await asked();
    await make();
    await lock();
    // The prepared batch was cancelled after the snapshot; the first payment of the next one failed, the second succeeded.
    const [failed, arrived] = [v7(), v7()];
    const rows = [
      { ...paid(arrived), withdrawal: one.id, rupees: '1' },
      { id: failed, state: 'failed', reason: 'The account is closed', withdrawal: one.id, rupees: '1' },
    ];
    expect(await record(...rows)).toEqual({ noted: 1, unchanged: 1, unmatched: [] });
    expect(await attemptsOf(one.id)).toEqual(['cancelled', 'paid']);
    await lift();
    expect(await differences()).toEqual([]);
  });

  describe.each(['has nothing of', 'has in a batch', 'has with the payer'])(
    'that a payment arrived and came back, which the restored database %s,',
    (where) => {
      it.each([
        ['in one file', [['paid', 'returned']]],
        ['in one file the other way round', [['returned', 'paid']]],
        ['in two files', [['paid'], ['returned']]],
        ['in a file after that of the batch', [['sent'], ['returned', 'paid']]],
      ])('%s, leaves the withdrawal to be paid', async (_how, files) => {
        const one = await asked();
        const batch = where === 'has nothing of' ? undefined : await make();
        if (batch && where === 'has with the payer')
          await sendBatch(context(), operator, { id: batch._id, again: false });
        await lock();
        const id = batch?.payments[0]?._id ?? v7();
        const rows: Record<string, Record<string, string>> = {
          sent: { id, withdrawal: one.id, rupees: '1.00' },
          paid: { ...paid(id, 'UTR 1'), withdrawal: one.id, rupees: '1.00' },
          returned: { id, state: 'returned', reason: 'The account is closed' },
        };
        for (const file of files)
          expect((await record(...file.map((state) => rows[state] ?? {}))).unmatched).toEqual([]);
        expect(await stateOf(one.id)).toEqual({ state: 'pending', reference: null });
        expect((await attemptsOf(one.id)).at(-1)).toBe('returned');
        await lift();
        // The only operator pays again what they recorded as returned 72 hours after that.
        await db
          .updateTable('payout_attempts')
          .set({ ended_at: new Date(0) })
          .where('state', '=', 'returned')
          .execute();
        expect((await make()).payments.map((payment) => payment.withdrawalId)).toEqual([one.id]);
        expect(await differences()).toEqual([]);
      });
    },
  );

  it.each(['sent', 'paid'])(
    'a return is remembered if the file that says that the payment was %s is given later',
    async (state) => {
      const one = await asked();
      await lock();
      const id = v7();
      await record({ id, state: 'returned', reason: 'The account is closed' });
      const row = { id, withdrawal: one.id, rupees: '1.00', state, reference: 'UTR 1' };
      expect(await record(row)).toEqual({ noted: 0, unchanged: 1, unmatched: [] });
      expect(await stateOf(one.id)).toEqual({ state: 'pending', reference: null });
      await lift();
      expect((await make()).payments).toHaveLength(1);
    },
  );

  it('a failure does not outweigh a later report that the payment was made: it is not paid again', async () => {
    const one = await asked();
    await lock();
    const id = v7();
    await record({ id, state: 'failed', reason: 'No answer' });
    await record({ ...paid(id, 'UTR 1'), withdrawal: one.id, rupees: '1.00' });
    expect(await stateOf(one.id)).toEqual({ state: 'completed', reference: 'UTR 1' });
  });

  it('is compared in the order of the payments: the outcome of each comes before the next payment of its withdrawal', async () => {
    const one = await asked();
    const { _id: id, payments } = await make();
    await sendBatch(context(), operator, { id, again: false });
    await lock();
    const [second, third] = [v7(), v7()];
    const sent = { withdrawal: one.id, rupees: '1.00' };
    const answer = await record(
      { ...paid(third, 'UTR 3') },
      { id: second, state: 'failed', reason: 'Closed' },
      { id: third, ...sent },
      { id: second, ...sent },
      { id: payments[0]?._id ?? '', state: 'failed', reason: 'Closed' },
    );
    expect(answer.unmatched).toEqual([]);
    expect(await stateOf(one.id)).toEqual({ state: 'completed', reference: 'UTR 3' });
    expect(await attemptsOf(one.id)).toEqual(['failed', 'failed', 'paid']);
    await lift();
    expect(await differences()).toEqual([]);
  });

  it('may contain payments by hand, by withdrawal and reference', async () => {
    const [one, two] = [await asked(), await asked()];
    await payWithdrawal(db, two.id, 'UTR 7');
    await lock();
    const row = { state: 'paid', reference: 'UTR 8', withdrawal: one.id, rupees: '1.00' };
    expect(await record(row, { state: 'paid', reference: 'UTR 7' })).toMatchObject({
      noted: 1,
      unchanged: 1,
    });
    expect(await record(row)).toMatchObject({ noted: 0, unchanged: 1 });
    expect(await stateOf(one.id)).toEqual({ state: 'completed', reference: 'UTR 8' });
  });

  it.each([
    ['an id that nothing has', {}],
    ['a withdrawal that is not here', { withdrawal: v7(), rupees: '1.00' }],
    ['another amount', { withdrawal: 'one', rupees: '1.01' }],
    ['no amount', { withdrawal: 'one' }],
  ])(
    'with %s keeps the lock until it has a name',
    async (_what, { withdrawal, ...more }: Record<string, string>) => {
      const one = await asked();
      await lock();
      const row = {
        ...paid(v7()),
        ...more,
        ...(withdrawal && { withdrawal: withdrawal === 'one' ? one.id : withdrawal }),
      };
      expect((await record(row)).unmatched).toMatchObject([{ key: row.id }]);
      expect(await stateOf(one.id)).toMatchObject({ state: 'pending' });
      expect(await code(lift())).toBe('payouts_locked');
      expect(await code(lift('none'))).toBe('payouts_locked');
      await identifyPayment(context(), operator, { payment: row.id, other: 'The rent' });
      expect(await record(row)).toMatchObject({ unchanged: 1, unmatched: [] });
      await lift();
      expect(await attemptsOf(one.id)).toEqual([]);
    },
  );

  it('keeps the lock if it contradicts the database', async () => {
    const one = await asked();
    await payWithdrawal(db, one.id, 'UTR 1');
    await lock();
    const second = { ...paid(v7(), 'UTR 2'), withdrawal: one.id, rupees: '1.00' };
    expect((await record(second)).unmatched).toMatchObject([
      { why: expect.stringMatching(/completed here/) },
    ]);
    expect(await code(lift())).toBe('payouts_locked');
  });

  it('can be identified by a withdrawal, or by the month of a lost request, which is made again and paid', async () => {
    const one = await asked();
    const creator = await personIn(db, new Date('2026-01-01'));
    await earnReleased(db, creator, '2026-10', 600);
    await lock();
    const [first, second] = [
      { ...paid(v7()), rupees: '1.00' },
      { ...paid(v7()), rupees: '1.20', withdrawal: v7() },
    ];
    expect((await record(first, second)).unmatched).toHaveLength(2);
    const naming = (payment: string, name: Omit<Parameters<typeof identifyPayment>[2], 'payment'>) =>
      identifyPayment(context(), operator, { payment, ...name });
    await naming(first.id, { withdrawal: one.id });
    // The payment has another amount than this month earned.
    expect(await code(naming(second.id, { userId: one.creator, month: '2026-09' }))).not.toBe('done');
    await naming(second.id, { userId: creator, month: '2026-10' });
    await lift();
    const all = await db
      .selectFrom('withdrawals')
      .select(['state', 'paise', 'reference'])
      .orderBy('paise')
      .execute();
    expect(all).toEqual([
      { state: 'completed', paise: 100, reference: first.reference },
      { state: 'completed', paise: 120, reference: second.reference },
    ]);
    const form = { userId: creator, month: '2026-10', totalRupee: '1.20' };
    expect(await withdraw(context(), creator, form)).toMatchObject({ status: 'completed' });
    expect(await differences()).toEqual([]);
  });

  it('is read from a payer with an API; no payment is requested while payouts are locked', async () => {
    const [one, two] = [await asked(), await asked()];
    const { payments } = await make();
    await db.updateTable('payout_attempts').set({ payer: 'razorpayx' }).execute();
    await lock();
    const idOf = (id: string) => payments.find(({ withdrawalId }) => withdrawalId === id)?._id ?? '';
    const common = {
      paise: 100,
      withdrawal: null,
      reference: null,
      status: 'processing',
      why: '',
      createdAt: now,
    };
    const records = recordOf({ name: 'razorpayx' }, [
      { ...common, id: 'pout_1', attemptId: idOf(one.id), state: 'open' },
      { ...common, id: 'pout_2', attemptId: idOf(two.id), state: 'paid', reference: 'UTR 5' },
      // Of another system that uses the same account.
      { ...common, id: 'pout_3', attemptId: 'invoice 7', state: 'paid' },
    ]);
    const byHand = read(paid(idOf(one.id)));
    expect((await compareRecord(context(), operator, [byHand])).unmatched).toHaveLength(1);
    expect(await compareRecord(context(), operator, records)).toEqual({
      noted: 2,
      unchanged: 0,
      unmatched: [],
    });
    expect(await compareRecord(context(), operator, records)).toMatchObject({ noted: 0, unchanged: 2 });
    expect(await stateOf(two.id)).toEqual({ state: 'completed', reference: 'UTR 5' });
    const next = () => claimNext(context(), { name: 'razorpayx' });
    expect(await next()).toBeUndefined();
    await lift();
    // A paid payment may be returned.
    const looked = [await next(), await next()].map((row) => [row?.id, row?.state, row?.payer_id]);
    expect(looked.sort()).toEqual(
      [
        [idOf(one.id), 'sent', 'pout_1'],
        [idOf(two.id), 'paid', 'pout_2'],
      ].sort(),
    );
  });

  it('says that a payment was requested after the snapshot, so its creator does not cancel it', async () => {
    const one = await asked();
    const { payments } = await make();
    const sent = { payer: 'razorpayx', state: 'sent' as const, sent_at: now, look_at: now };
    await db.updateTable('payout_attempts').set(sent).execute();
    await lock();
    const attemptId = payments[0]?._id ?? '';
    const of = { paise: 100, withdrawal: one.id, reference: null, status: 'queued', why: '', createdAt: now };
    const record = { ...of, id: 'pout_1', attemptId, state: 'open' as const };
    await compareRecord(context(), operator, recordOf({ name: 'razorpayx' }, [record]));
    await lift();
    const { creator_id, month } = await db
      .selectFrom('withdrawals')
      .select(['creator_id', 'month'])
      .where('id', '=', one.id)
      .executeTakeFirstOrThrow();
    const cancelled = cancelWithdrawal(context(), creator_id, month);
    await expect(cancelled).rejects.toMatchObject({ code: 'already_sent' });
  });

  it("about an operator's own payments cannot be recorded or identified by that operator", async () => {
    const one = await asked();
    const { payments } = await make();
    await lock();
    const own = { id: one.creator, name: 'Leela' };
    const row = read(paid(payments[0]?._id ?? ''));
    expect((await compareRecord(context(), own, [row])).unmatched).toHaveLength(1);
    expect(await stateOf(one.id)).toMatchObject({ state: 'pending' });
    expect((await compareRecord(context(), operator, [row])).noted).toBe(1);
    await lift();
  });

  it("about an operator's own payment stays so without the withdrawal, and if that operator says that nothing was paid", async () => {
    const one = await asked();
    await lock();
    const own = { id: one.creator, name: 'Leela' };
    const [id, other] = [v7(), v7()];
    const sent = { withdrawal: one.id, rupees: '1.00' };
    const give = (...rows: Record<string, string>[]) =>
      compareRecord(
        context(),
        own,
        rows.map((row) => read(row)),
      );
    expect((await give({ id, ...sent })).unmatched).toHaveLength(1);
    expect((await give(paid(id, 'UTR 1'))).unmatched).toHaveLength(1);
    expect((await give({ id, state: 'returned', reason: 'Closed' })).unmatched).toHaveLength(1);
    expect(await code(identifyPayment(context(), own, { payment: id, other: 'The rent' }))).toBe(
      'own_withdrawal',
    );
    expect(await code(lift())).toBe('payouts_locked');
    // An operator who leaves out the withdrawal cannot hide the payment from the next operator.
    await give({ id: other, state: 'returned', reason: 'Closed' });
    expect(await record({ ...sent, ...paid(other, 'UTR 2') })).toMatchObject({ noted: 1 });
    expect(await stateOf(one.id)).toEqual({ state: 'completed', reference: 'UTR 2' });
  });

  it('is recorded as paid, if the file that was sent is given after the result', async () => {
    const one = await asked();
    await lock();
    const id = v7();
    expect((await record(paid(id, 'UTR 1'))).unmatched).toHaveLength(1);
    expect((await record({ id, withdrawal: one.id, rupees: '1.00' })).unmatched).toEqual([]);
    expect(await stateOf(one.id)).toEqual({ state: 'completed', reference: 'UTR 1' });
    await lift();
  });

  it('has the withdrawal of an earlier file', async () => {
    const one = await asked();
    const { _id: batch, payments } = await make();
    await sendBatch(context(), operator, { id: batch, again: false });
    await lock();
    const id = v7();
    // The payer has another payment of this withdrawal, until the next file has its outcome.
    expect((await record({ id, withdrawal: one.id, rupees: '1.00' })).unmatched).toHaveLength(1);
    const failed = { id: payments[0]?._id ?? '', state: 'failed', reason: 'Closed' };
    expect((await record(failed, paid(id, 'UTR 1'))).unmatched).toEqual([]);
    expect(await stateOf(one.id)).toEqual({ state: 'completed', reference: 'UTR 1' });
    await lift();
  });
});
