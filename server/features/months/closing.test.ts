import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import { contextOn } from '#testing/context.ts';
import { personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { showAndWatch } from '#testing/fixtures/watching.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { auditLedger } from '../earnings/audit.ts';
import { showHistory } from '../earnings/history.ts';
import { addToMonths, holdMonths, MonthClosed } from '../month-counts/months.ts';
import { likePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { deleteReel } from '../reels/deletion.ts';
import { releaseMonth } from '../withdrawals/releases.ts';
import { withdraw } from '../withdrawals/withdrawals.ts';
import { closeMonths, secondsUncounted } from './closing.ts';
import { setMonthLimits } from './limits.ts';
import { worthOfMonth } from './month-worth.ts';
import { deleteSingleViews } from './single-view-deletion.ts';

/* Months are of India: November 2026 ends at 18:30 UTC. */
const month = '2026-11';
const minute = 60_000;
/** In minutes. */
const day = 24 * 60;
const end = new Date('2026-11-30T18:30:00Z');
const minutesAfter = (minutes: number) => new Date(end.getTime() + minutes * minute);

let db: Kysely<Tables>;
let now: Date;
beforeEach(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  now = minutesAfter(-60);
  return async () => {
    await db.destroy();
    await database.drop();
  };
});

const context = () => contextOn(db, { clock: () => now });
const close = () => closeMonths(context());
/** A creator with so many coins in November, of reels and released views. */
async function creatorWith(reels: number): Promise<string> {
  const id = await personIn(db, new Date('2026-01-01'));
  await inTransaction(db, (trx) => addToMonths(trx, [{ creatorId: id, month, reels, views: 4000 }]));
  return id;
}
const ask = (creatorId: string) =>
  withdraw(context(), creatorId, { userId: creatorId, month, totalRupee: '1.00' });
/** Differences of results: counts of `creatorWith` have no events. */
const differingResults = async () =>
  (await auditLedger(context())).differences.filter(({ figure }) => figure.startsWith('result'));
const newest = async (creatorId: string) => (await showHistory(context(), creatorId)).data[0];

describe('a month', () => {
  it('is closed and counted a quarter of an hour after its end, and not before', async () => {
    const creator = await creatorWith(3);
    now = minutesAfter(14);
    expect(await close()).toEqual(['2026-10']);
    expect(await newest(creator)).toMatchObject({ counted: false, state: 'counting', withdrawable: false });
    now = minutesAfter(15);
    expect(await close()).toEqual([month]);
    expect(await newest(creator)).toMatchObject({ counted: true, state: 'too_little', totalCoins: 115 });
    expect(await close()).toEqual([]);
    expect(await differingResults()).toEqual([]);
  });

  it('cannot be withdrawn before it is counted, and says so', async () => {
    const creator = await creatorWith(3);
    now = minutesAfter(1);
    await expect(ask(creator)).rejects.toMatchObject({
      code: 'month_not_counted',
      status: 409,
      message: 'We are counting November. It is ready in a few minutes.',
    });
    now = minutesAfter(16);
    await close();
    await expect(ask(creator)).rejects.toMatchObject({ code: 'below_minimum' });
  });

  it('stays open while a transaction of it stalls for twenty minutes, and counts what it wrote', async () => {
    const creator = await creatorWith(3);
    let stalled = () => {};
    let hasBegun = () => {};
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const writing = db.transaction().execute(async (trx) => {
      await addToMonths(trx, [{ creatorId: creator, month, reels: 1 }]);
      hasBegun();
      await new Promise<void>((resolve) => (stalled = resolve));
    });
    await begun;
    now = minutesAfter(20);
    expect(await close()).toEqual([]);
    expect(await newest(creator)).toMatchObject({ counted: false, reels: 3 });
    stalled();
    await writing;
    expect(await close()).toEqual([month]);
    expect(await newest(creator)).toMatchObject({ counted: true, reels: 4 });
    expect(await differingResults()).toEqual([]);
  });

  it('has nothing to release before it is counted, also if that happens meanwhile', async () => {
    const creatorId = await creatorWith(3);
    now = minutesAfter(20);
    const release = (of = db) =>
      releaseMonth(
        { ...context(), db: of, outbox: noOutbox },
        { creatorId, month },
        { reason: 'Fine', operatorId: null },
      );
    let closed: string[] = [];
    const closing = db.withPlugin({
      transformQuery: ({ node }) => node,
      // The month is counted just after its row was read.
      transformResult: async ({ result }) => {
        const isRow = result.rows.some((row) => row.month === month && 'reels' in row);
        if (isRow && closed.length === 0) closed = await close();
        return result;
      },
    });
    expect(await release(closing)).toBeUndefined();
    if (closed.length === 0) closed = await close();
    expect(await release()).toMatchObject({ views: 3000 });
  });

  it('takes no event of a transaction that wakes up after its closing', async () => {
    const creator = await creatorWith(3);
    const reel = await publishedReel(db, creator, minutesAfter(-50), 'Asia/Kolkata');
    const fileName = await uploadedPhoto(db, creator, minutesAfter(-50));
    const form = { fileName, caption: '', description: '' };
    const { id: post } = await publishPost(context(), creator, form);
    const liker = await personIn(db, now);
    now = minutesAfter(15);
    await close();
    const before = await newest(creator);
    // Their clocks still say November.
    const late = { ...context(), clock: () => minutesAfter(-1) };
    await expect(likePost(late, post, liker)).rejects.toThrow(MonthClosed);
    const files = { ...late, storage: undefined as never };
    await expect(deleteReel(files, reel, creator)).rejects.toThrow(MonthClosed);
    const viewer = { viewer: Buffer.alloc(16, 1), address: Buffer.alloc(8), signedIn: false };
    const shown = {
      reelId: reel,
      ...viewer,
      issuedAt: minutesAfter(-1),
      at: minutesAfter(0),
      neededMs: 4000,
    };
    expect(await showAndWatch(late, [shown])).toEqual([false]);
    const { rows } = await sql<{ views: number }>`
      select views from reel_days where verdict = 'too_late'`.execute(db);
    expect(rows).toEqual([{ views: 1 }]);
    expect(await newest(creator)).toEqual(before);
    expect(await differingResults()).toEqual([]);
  });

  it('is closed after the months before it', async () => {
    await inTransaction(db, async (trx) => void (await holdMonths(trx, ['2026-10'])));
    await creatorWith(3);
    now = minutesAfter(15);
    let stalled = () => {};
    let hasBegun = () => {};
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const writing = db.transaction().execute(async (trx) => {
      await holdMonths(trx, ['2026-10']);
      hasBegun();
      await new Promise<void>((resolve) => (stalled = resolve));
    });
    await begun;
    expect(await close()).toEqual([]);
    stalled();
    await writing;
    expect(await close()).toEqual(['2026-10', month]);
  });

  it('is counted in batches, goes on after a kill, and counts each creator once, also by two processes', async () => {
    const creators = 2500;
    await sql`
      insert into creator_months (creator_id, month, reels)
      select gen_random_uuid(), ${month}, 1 from generate_series(1, ${creators})`.execute(db);
    await inTransaction(db, async (trx) => void (await holdMonths(trx, [month])));
    now = minutesAfter(15);
    const killed = new AbortController();
    killed.abort();
    await expect(closeMonths(context(), killed.signal)).rejects.toThrow();
    const results = async () =>
      (
        await sql<{ results: number; coins: number }>`
        select count(*)::int as results, sum(coins)::int as coins from month_results`.execute(db)
      ).rows[0];
    expect(await results()).toEqual({ results: 200, coins: 1000 });
    const some = await personIn(db, now);
    await expect(ask(some)).rejects.toMatchObject({ code: 'month_not_counted' });
    await Promise.all([close(), close()]);
    expect(await results()).toEqual({ results: creators, coins: 5 * creators });
  });

  it('has statistics of its accounts and shares before its results are counted, so that each batch reads only its own creators', async () => {
    await creatorWith(3);
    now = minutesAfter(20);
    await close();
    // -1 until a table is analyzed for the first time.
    const { rows } = await sql<{ rows: number }>`
      select reltuples as rows from pg_class where relname in ('established_accounts', 'month_shares')`.execute(
      db,
    );
    expect(rows).toEqual([{ rows: 0 }, { rows: 0 }]);
  });

  it('has results that cannot be changed, and stores the rules with which they were computed', async () => {
    const creator = await creatorWith(60);
    now = minutesAfter(15);
    await close();
    // On a cluster the part of the table is named.
    const message = /^month_results(_\d+)? is only ever added to$/;
    await expect(sql`update month_results set coins = 1`.execute(db)).rejects.toThrow(message);
    await expect(sql`delete from month_results`.execute(db)).rejects.toThrow(message);
    const { rules, has_mail } = await db
      .selectFrom('months')
      .selectAll()
      .where('month', '=', month)
      .executeTakeFirstOrThrow();
    expect(has_mail).toBe(false);
    expect(rules).toMatchObject({ rates: { coinsPerReel: 5 }, rules: { paidPublications: { reels: 50 } } });
    // A closed month is read from its result, not from its counters.
    await sql`update creator_months set reels = 0, views = 0`.execute(db);
    expect(await worthOfMonth(context(), creator, month)).toMatchObject({ coins: 350, paid: { reels: 50 } });
    const { differences } = await auditLedger(context());
    expect(differences).toContainEqual(
      expect.objectContaining({ id: creator, figure: 'result: coins', recorded: 350, derived: 0 }),
    );
  });

  it('takes the limits that an operator set before it began, and those of the month before where none were set', async () => {
    const set = (of: string) =>
      setMonthLimits(context(), { month: of, viewsPerCreator: 150, viewsInAll: 9000 }, async () => undefined);
    await expect(set(month)).rejects.toMatchObject({ code: 'month_begun' });
    await set('2026-12');
    await inTransaction(db, async (trx) => void (await holdMonths(trx, ['2027-01', month, '2026-12'])));
    const rows = await db
      .selectFrom('months')
      .select(['month', 'views_per_creator', 'views_in_all'])
      .orderBy('month')
      .execute();
    expect(rows.map(Object.values)).toEqual([
      [month, 200, 20_000],
      ['2026-12', 150, 9000],
      ['2027-01', 150, 9000],
    ]);
  });

  it('loses its single views 60 days after its end, and nothing else: the audit derives it from its counts then', async () => {
    const creator = await creatorWith(0);
    const reel = await publishedReel(db, creator, minutesAfter(-50), 'Asia/Kolkata');
    const accounts = await Promise.all([personIn(db, now), personIn(db, now)]);
    const views = [...accounts, undefined].map((personId, place) => ({
      ...{ reelId: reel, viewer: Buffer.alloc(16, place), address: Buffer.alloc(8), personId },
      ...{
        signedIn: personId !== undefined,
        issuedAt: minutesAfter(-40),
        at: minutesAfter(-39),
        neededMs: 4000,
      },
    }));
    expect(await showAndWatch(context(), views)).toEqual([true, true, true]);
    await sql`update creator_months set views = 3`.execute(db);
    const counts = async () =>
      Promise.all(
        (['views', 'creator_viewers', 'viewer_months', 'reel_days'] as const).map(
          async (table) => (await db.selectFrom(table).select(sql`1`.as('one')).execute()).length,
        ),
      );
    // A month that is not counted keeps them, however long ago it was.
    now = minutesAfter(70 * day);
    await deleteSingleViews(context());
    expect(await counts()).toEqual([3, 2, 2, 2]);
    now = minutesAfter(59 * day);
    await close();
    const before = await worthOfMonth(context(), creator, month);
    await deleteSingleViews(context());
    expect(await counts()).toEqual([3, 2, 2, 2]);
    expect(await auditLedger(context())).toMatchObject({ differences: [], fromCounts: [] });
    now = minutesAfter(60 * day + 1);
    await deleteSingleViews(context());
    expect(await counts()).toEqual([0, 0, 0, 2]);
    expect(await worthOfMonth(context(), creator, month)).toEqual(before);
    expect(await auditLedger(context())).toMatchObject({ differences: [], fromCounts: [month] });
    await sql`update reel_days set views = 2 where verdict = 'counted'`.execute(db);
    expect((await auditLedger(context())).differences).toContainEqual(
      expect.objectContaining({ id: creator, figure: 'views', recorded: 3, derived: 2 }),
    );
  });

  it('that is not counted is exported with its age, so that operators are alarmed', async () => {
    await creatorWith(3);
    expect(await secondsUncounted(context())).toBe(0);
    now = minutesAfter(90);
    expect(await secondsUncounted(context())).toBe(90 * 60);
    await close();
    expect(await secondsUncounted(context())).toBe(0);
  });
});
