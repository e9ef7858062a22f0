import { type Kysely, sql } from 'kysely';
import { v7 } from 'uuid';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn } from '#testing/context.ts';
import { personIn, publishedReel } from '#testing/fixtures/earnings.ts';
import { countedViewsOf } from '#testing/fixtures/months.ts';
import { payableAt } from '#testing/fixtures/payouts.ts';
import { watchedByMany } from '#testing/fixtures/watching.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { auditLedger } from '../earnings/audit.ts';
import { showHistory } from '../earnings/history.ts';
import { closeMonths } from '../months/closing.ts';
import { releaseMonth } from '../withdrawals/releases.ts';
import { listWithdrawals } from '../withdrawals/review.ts';
import { withdraw } from '../withdrawals/withdrawals.ts';
import { approveBatch, cancelBatch, makeBatch, sendBatch } from './batches.ts';

/*
 * The views that wait in the months of withdrawals which a batch pays. Each test has its own database, since the audit covers the whole
 * site. No account is established: 1,000 views of a month pay, for 100 coins, and the others wait.
 */
const zone = 'Asia/Kolkata';
const [november, december, january] = ['2026-11', '2026-12', '2027-01'] as const;
const at = (date: string) => new Date(`${date}T12:00:00+05:30`);
const reason = 'Known creator';

let db: Kysely<Tables>;
let now: Date;
let ravi: { id: string; name: string };
let uma: typeof ravi;
beforeEach(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  now = at('2026-11-02');
  const operator = async (name: string) => ({ id: await personIn(db, at('2026-09-01')), name });
  [ravi, uma] = [await operator('Ravi'), await operator('Uma')];
  await db.updateTable('people').set({ role: 'operator' }).where('id', 'in', [ravi.id, uma.id]).execute();
  return async () => {
    await db.destroy();
    await database.drop();
  };
});

/** One operator alone pays a rupee within a day. */
function context() {
  const usual = contextOn(db, { clock: () => now });
  return { ...usual, config: { ...usual.config, payouts: { ...usual.config.payouts, approvalAbove: 100 } } };
}
const differences = async () => (await auditLedger(context())).differences;
const make = (body: object = {}) => makeBatch(context(), ravi, body);
const listed = async () => (await listWithdrawals(context(), { limit: 100 })).data;
const waitingOf = async (id: string) => {
  const one = (await listed()).find(({ _id }) => _id === id);
  return [one?.waitingViews, one?.waitingCoins];
};
/** Coins of the month in which released ones count. */
const releasedTo = async (creatorId: string) =>
  (await showHistory(context(), creatorId)).data.find(({ monthKey }) => monthKey === january)?.totalCoins ??
  0;
const decisions = async () => {
  const rows = await db.selectFrom('adjustments').select(['kind', 'month']).execute();
  const released = rows.filter(({ kind, month }) => kind === 'released' && month === december);
  return [released.length, rows.filter(({ kind }) => kind !== 'released').length];
};
const code = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error) => error.code,
  );

/** Withdrawals of ₹1: 400 coins of November were released, December has 100, and in December 5,000 views wait, which are worth 500. */
async function requests(creators: string[]): Promise<string[]> {
  const reels = new Map<string, string>();
  for (const id of creators) {
    await payableAt(context(), id);
    const reel = await publishedReel(db, id, at('2026-09-01'), zone);
    reels.set(id, reel);
    now = at('2026-11-02');
    await watchedByMany(context(), reel, 5000, at('2026-11-05'));
  }
  now = at('2026-12-04');
  await closeMonths(context());
  for (const [id, reel] of reels) {
    await releaseMonth(context(), { creatorId: id, month: november }, { reason, operatorId: null });
    await watchedByMany(context(), reel, 6000, at('2026-12-06'));
  }
  now = at('2027-01-03');
  await closeMonths(context());
  const asked: string[] = [];
  for (const userId of creators)
    asked.push((await withdraw(context(), userId, { userId, month: december, totalRupee: '1.00' }))._id);
  return asked;
}
const creator = () => personIn(db, at('2026-09-01'));

describe('views that wait in the months of a withdrawal', () => {
  it('are in the list of withdrawals, with their coins, until they are decided', async () => {
    const one = await creator();
    const [id = ''] = await requests([one]);
    expect(await waitingOf(id)).toEqual([5000, 500]);
    await releaseMonth(context(), { creatorId: one, month: december }, { reason, operatorId: ravi.id });
    expect(await waitingOf(id)).toEqual([0, 0]);
  });

  it('are counted in the carried months too, without those that established accounts let pay, by a fixed number of queries', async () => {
    const asked = async (views: Record<string, number>, paid: Record<string, number> = {}) => {
      const creatorId = await creator();
      for (const [month, watched] of Object.entries(views))
        await countedViewsOf(db, { creatorId, month }, { views: watched, accountViews: paid[month] ?? 0 });
      const [month = '', ...carried] = Object.keys(views);
      const id = v7();
      await db
        .insertInto('withdrawals')
        .values({
          id,
          creator_id: creatorId,
          month,
          coins: 500,
          carried: JSON.stringify(carried.map((one) => ({ month: one, coins: 100 }))),
          paise: 120,
          state: 'pending',
          requested_at: now,
          ready_at: null,
        })
        .execute();
      return { id, creatorId };
    };
    const one = await asked({ [december]: 1519, [november]: 3000 }, { [november]: 400 });
    now = at('2027-01-03');
    // 519 views of December; of November 3,000 without 1,000 and twice 200.
    expect(await waitingOf(one.id)).toEqual([519 + 1600, 51 + 160]);
    const queriesOfList = async () => {
      let asked = 0;
      const counted = db.withPlugin({
        transformQuery({ node }) {
          asked += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      await listWithdrawals({ ...context(), db: counted }, { limit: 100 });
      return asked;
    };
    const before = await queriesOfList();
    for (let more = 0; more < 5; more += 1) await asked({ [december]: 2000 + more, [november]: 2000 });
    await asked({ [december]: 1000 });
    expect(await queriesOfList()).toBe(before);
    expect((await listed()).map(({ waitingViews }) => waitingViews).sort((a, b) => a - b)).toEqual([
      0, 2000, 2001, 2002, 2003, 2004, 2119,
    ]);
  });
});

describe('a batch', () => {
  it('keeps views waiting without a decision [long]', async () => {
    const [id = ''] = await requests([await creator()]);
    const batch = await make();
    await sendBatch(context(), ravi, { id: batch._id, again: false });
    expect(await waitingOf(id)).toEqual([5000, 500]);
  });

  it.each([
    ['release', 500, [1, 0], 'month.release'],
    ['void', 0, [0, 1], 'month.void'],
  ] as const)('takes the decision %s when it is made, once', async (waiting, coins, decided, act) => {
    const one = await creator();
    const [id = ''] = await requests([one]);
    const batch = await make({ waiting, reason });
    expect(batch).toMatchObject({ state: 'approved', paise: 100, payments: [{ withdrawalId: id }] });
    expect(await code(make({ waiting, reason }))).toBe('nothing_to_pay');
    expect(await waitingOf(id)).toEqual([0, 0]);
    expect(await releasedTo(one)).toBe(coins);
    expect(await decisions()).toEqual(decided);
    const log = await db.selectFrom('audit_log').select(['act', 'operator_id']).orderBy('act').execute();
    expect(log).toEqual([act, 'payout.make'].map((of) => ({ act: of, operator_id: ravi.id })));
    expect(await differences()).toEqual([]);
  });

  it('that another operator approves takes the decision of that operator, for some withdrawals or all, once [long]', async () => {
    const creators = [await creator(), await creator(), uma.id];
    const [one = '', other = '', own = ''] = await requests(creators);
    expect(await code(make({ waiting: 'release', reason }))).toBe('batch_waits');
    expect((await db.selectFrom('payout_batches').selectAll().execute()).length).toBe(0);
    // Nobody decides about their own month.
    const withOwn = await make({ withdrawals: [own, one] });
    const release = { waiting: 'release' as const, reason };
    expect(await code(approveBatch(context(), uma, withOwn._id, release))).toBe('own_withdrawal');
    await cancelBatch(context(), ravi, withOwn._id);

    const { _id: batch } = await make({ withdrawals: [one, other] });
    expect(await code(approveBatch(context(), ravi, batch, release))).toBe('own_batch');
    expect(await code(approveBatch(context(), uma, batch, { ...release, of: [one, own] }))).toBe('not_found');
    const stateOf = async () =>
      (await db.selectFrom('payout_batches').select('state').where('id', '=', batch).execute())[0]?.state;
    expect([await stateOf(), await decisions()]).toEqual(['proposed', [0, 0]]);

    const approved = await Promise.all(
      [1, 2].map(() => approveBatch(context(), uma, batch, { ...release, of: [one] })),
    );
    expect(approved.map(({ state, paise }) => [state, paise])).toEqual(Array(2).fill(['approved', 200]));
    expect(await decisions()).toEqual([1, 0]);
    expect([await waitingOf(one), await waitingOf(other)]).toEqual([
      [0, 0],
      [5000, 500],
    ]);
    // Approving again for all takes nothing back that was released before.
    const voided = { waiting: 'void' as const, reason: 'All from one script' };
    for (let times = 0; times < 2; times += 1) await approveBatch(context(), uma, batch, voided);
    expect(await decisions()).toEqual([1, 1]);
    expect(await Promise.all(creators.map(releasedTo))).toEqual([500, 0, 0]);
    expect([await waitingOf(other), await waitingOf(own)]).toEqual([
      [0, 0],
      [5000, 500],
    ]);
    await sendBatch(context(), ravi, { id: batch, again: false });
    expect(await differences()).toEqual([]);
  });

  it('is not approved if its decision fails', async () => {
    const creators = [await creator(), await creator()];
    await requests(creators);
    const { _id: batch } = await make();
    await sql`alter table adjustments add constraint refused check (creator_id <> ${sql.lit(creators[1])}) not valid`.execute(
      db,
    );
    await expect(approveBatch(context(), uma, batch, { waiting: 'release', reason })).rejects.toThrow(
      'refused',
    );
    const { state } = await db.selectFrom('payout_batches').select('state').executeTakeFirstOrThrow();
    expect([state, await decisions()]).toEqual(['proposed', [0, 0]]);
    expect(await Promise.all(creators.map(releasedTo))).toEqual([0, 0]);
    expect(await differences()).toEqual([]);
  });
});
