import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import { contextOn } from '#testing/context.ts';
import { changeAdjustments, personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { showAndWatch, watchedByMany } from '#testing/fixtures/watching.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { auditLedger } from '../earnings/audit.ts';
import { showHistory } from '../earnings/history.ts';
import { showMonth } from '../earnings/month-detail.ts';
import { likePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { viewerOf } from '../views/viewers.ts';
import { releaseMonth, releaseMonthOfAll } from '../withdrawals/releases.ts';
import { withdraw } from '../withdrawals/withdrawals.ts';
import { closeMonths } from './closing.ts';
import { worthOfMonth } from './month-worth.ts';

/* Each test has its own database, since the value of an account depends on the whole site. Months are of India. */
const zone = 'Asia/Kolkata';
const minute = 60_000;
const day = 24 * 60 * minute;
const month = '2026-11';
const at = (date: string, hour = 12) => new Date(Date.parse(`${date}T00:00:00+05:30`) + hour * 60 * minute);
const longAgo = at('2026-09-01');

let db: Kysely<Tables>;
let end: () => Promise<void>;
let now: Date;
/** Whether the server sends mail. */
let isOn: boolean;
let creators: string[];
let reels: string[];
beforeEach(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  end = async () => {
    await db.destroy();
    await database.drop();
  };
  isOn = true;
  now = at('2026-11-02');
  creators = [];
  reels = [];
  for (let made = 0; made < 6; made += 1) {
    const creator = await personIn(db, longAgo);
    creators.push(creator);
    reels.push(await publishedReel(db, creator, longAgo, zone));
  }
  return () => end();
});

const context = () => contextOn(db, { clock: () => now, outbox: { ...noOutbox, isOn } });
const [creatorOf, reelOf] = [(place: number) => creators[place] ?? '', (place: number) => reels[place] ?? ''];

/** A signed-in viewer, verified by default. */
async function somebody({ joined = longAgo, verified = longAgo as Date | null } = {}): Promise<string> {
  const id = await personIn(db, joined);
  await db.updateTable('people').set({ email_verified_at: verified }).where('id', '=', id).execute();
  return id;
}

const clockOf = new Map<string, number>();
/** A person watches a reel on a day; the showings of one viewer follow one another. */
async function watch(
  personId: string,
  reelId: string,
  on: Date,
  inside = context(),
): Promise<boolean | undefined> {
  const since = (clockOf.get(`${personId} ${on.getTime()}`) ?? 0) + minute;
  clockOf.set(`${personId} ${on.getTime()}`, since);
  const reportedAt = new Date(on.getTime() + since);
  const viewer = viewerOf(context().keyring.secret('viewers'), { personId, address: '', userAgent: '' });
  const [counts] = await showAndWatch(inside, [
    {
      reelId,
      viewer,
      address: Buffer.alloc(8),
      signedIn: true,
      personId,
      issuedAt: new Date(reportedAt.getTime() - minute / 2),
      at: reportedAt,
      neededMs: 4000,
    },
  ]);
  return counts;
}

const crowd = (reelId: string, many: number, on: Date) => watchedByMany(context(), reelId, many, on);

interface Habit {
  of?: number;
  days?: number;
  views?: number;
  from?: string;
}

/** Watches this many times, this many creators, on this many days, starting with the first creator. */
async function watchMuch(
  personId: string,
  { of = 5, days = 3, views = 10, from = '2026-11-10' }: Habit = {},
) {
  const turns = Array.from({ length: views }, (_, turn) => ({ place: turn % of, after: turn % days }));
  // The clock of a viewer only moves forward.
  for (const { place, after } of turns.sort((one, other) => one.after - other.after))
    expect(await watch(personId, reelOf(place), new Date(at(from).getTime() + after * day))).toBe(true);
}

const december = at('2026-12-01', 0);
/** A quarter of an hour after the end of November, when it is closed. */
const closing = new Date(december.getTime() + 15 * minute);
/** Time goes on to this moment, and the months that ended are closed. */
async function closeAt(moment = closing): Promise<void> {
  now = moment;
  await closeMonths(context());
}
const paidViews = async (of = creatorOf(0), in_ = month) =>
  (await worthOfMonth(context(), of, in_)).paid.views;
const differences = async () => (await auditLedger(context())).differences;

describe('watched views of a month', () => {
  it('pay up to 1,000 without an established account, and the others wait', async () => {
    await crowd(reelOf(0), 1234, at('2026-11-05'));
    await closeAt();
    const { data } = await showHistory(context(), creatorOf(0));
    expect(data[0]).toMatchObject({ monthKey: month, views: 1234, waitingViews: 234, totalCoins: 100 });
    const shown = await showMonth(context(), creatorOf(0), month, { limit: 50 });
    expect(shown.data).toMatchObject({
      totalCoins: 100,
      unpaidViews: { count: 234, coins: 23 },
      items: [{ counted: 1234, coins: 123 }],
      pooledViews: { count: 4, coins: 0 },
    });
    expect(await differences()).toEqual([]);
  });

  it('pay 200 more for each established account that watched the creator', async () => {
    await crowd(reelOf(0), 1800, at('2026-11-05'));
    await watchMuch(await somebody());
    await watchMuch(await somebody());
    // A creator whom they did not watch is not affected.
    await crowd(reelOf(5), 1800, at('2026-11-30'));
    // While the month runs, the same is expected.
    expect(await paidViews()).toBe(1400);
    await closeAt();
    const { counts, paid } = await worthOfMonth(context(), creatorOf(0), month);
    expect(counts.views).toBeGreaterThan(1800);
    expect(paid.views).toBe(1400);
    expect(await paidViews(creatorOf(5))).toBe(1000);
    expect(await differences()).toEqual([]);
  });

  it('pay less for each creator where an account watched so many that it would let more than its sum pay', async () => {
    await crowd(reelOf(0), 1800, at('2026-11-05'));
    await watchMuch(await somebody());
    // As if 20,000 views were shared by more than a hundred creators.
    await db.updateTable('months').set({ views_in_all: 998 }).where('month', '=', month).execute();
    expect(await paidViews()).toBe(1199);
    await closeAt();
    expect(await paidViews()).toBe(1199);
    expect(await differences()).toEqual([]);
  });
});

describe('an account is established', () => {
  /** Views that pay because of one account, beyond the first 1,000. */
  async function broughtBy(habit: Habit, account: Parameters<typeof somebody>[0] = {}) {
    await watchMuch(await somebody(account), habit);
    await crowd(reelOf(0), 1500, at('2026-11-05'));
    await closeAt();
    expect(await differences()).toEqual([]);
    return (await paidViews()) - 1000;
  }

  it.each<[string, Habit, Parameters<typeof somebody>[0], number]>([
    ['that watched ten times, five creators, on three days', {}, {}, 200],
    ['that watched nine times', { views: 9 }, {}, 0],
    ['that watched four creators', { of: 4 }, {}, 0],
    ['that watched on two days', { days: 2 }, {}, 0],
    ['that is a week old at the end', {}, { joined: new Date(december.getTime() - 7 * day - 1) }, 200],
    ['that is a minute younger', {}, { joined: new Date(december.getTime() - 7 * day + minute) }, 0],
    ['without a verified address', {}, { verified: null }, 0],
    ['whose address is verified in the last second', {}, { verified: new Date(december.getTime() - 1) }, 200],
    ['whose address is verified after the month', {}, { verified: december }, 0],
  ])('%s', async (_, habit, account, views) => {
    expect(await broughtBy(habit, account)).toBe(views);
  });

  it.each([
    [29, 0],
    [30, 200],
  ])('%i days old where the server has no mail', async (age, views) => {
    isOn = false;
    const joined = new Date(december.getTime() - age * day - 1);
    expect(await broughtBy({}, { joined, verified: null })).toBe(views);
  });

  it('as it is when the month is closed: not if it was deleted or suspended before, and whatever happens to it later', async () => {
    const [kept, gone, bad] = [await somebody(), await somebody(), await somebody()];
    for (const one of [kept, gone, bad]) await watchMuch(one);
    await crowd(reelOf(0), 2500, at('2026-11-05'));
    now = at('2026-11-29');
    await deleteAccount(context(), gone, gone);
    now = december;
    const suspend = (id: string) =>
      db.updateTable('people').set({ suspended_at: now }).where('id', '=', id).execute();
    await suspend(bad);
    await closeAt();
    expect(await paidViews()).toBe(1200);
    now = at('2026-12-02');
    await suspend(kept);
    await db.updateTable('people').set({ suspended_at: null }).where('id', '=', bad).execute();
    expect(await closeMonths(context())).toEqual([]);
    expect(await paidViews()).toBe(1200);
    expect(await differences()).toEqual([]);
  });
});

const decision = { reason: 'People who never log in', operatorId: null };

describe('the data stored about who watched', () => {
  it('is the same for accounts of different age, so that it does not reveal the person behind a viewer hash', async () => {
    const ages = [longAgo, new Date(longAgo.getTime() + 12_345)];
    for (const at of ages) await watchMuch(await somebody({ joined: at, verified: at }));
    const rows = await db.selectFrom('viewer_months').selectAll().execute();
    const kinds = new Set(rows.map(({ viewer: _, ...row }) => JSON.stringify(row)));
    expect([rows.length, kinds.size]).toEqual([2, 1]);
  });
});

describe('views that wait', () => {
  const release = (of = creatorOf(0), in_ = month) =>
    releaseMonth(context(), { creatorId: of, month: in_ }, decision);
  const history = async () => (await showHistory(context(), creatorOf(0))).data;

  it('are released in a later month, once, and change no past month', async () => {
    await crowd(reelOf(0), 3019, at('2026-11-05'));
    now = at('2026-11-29');
    expect(await release()).toBeUndefined();
    await closeAt(at('2026-12-04'));
    const own = { ...decision, operatorId: creatorOf(0) };
    expect(await releaseMonth(context(), { creatorId: creatorOf(0), month }, own)).toBeUndefined();
    const before = (await history()).find(({ monthKey }) => monthKey === month);
    const [first, second] = await Promise.all([release(), release()]);
    expect([first, second].filter((one) => one !== undefined)).toMatchObject([
      { month, counts_in: '2026-12', views: 2019, coins: 201 },
    ]);
    const [december, november] = await history();
    expect(december).toMatchObject({ monthKey: '2026-12', totalCoins: 201, waitingViews: 0 });
    const decisions = [{ act: 'released', month, countsIn: '2026-12', views: 2019, coins: 201 }];
    expect(november).toMatchObject({ ...before, waitingViews: 0, decisions });
    const shown = await showMonth(context(), creatorOf(0), '2026-12', { limit: 50 });
    expect(shown.data.lines.at(-1)).toMatchObject({ kind: 'released', coins: 201 });
    expect(shown.data.totalCoins).toBe(201);
    expect(await differences()).toEqual([]);
  });

  it('are withdrawn with the month in which they were released', async () => {
    await crowd(reelOf(0), 6000, at('2026-11-05'));
    await closeAt(at('2026-12-04'));
    await release();
    await closeAt(at('2027-01-01'));
    const form = { userId: creatorOf(0), month: '2026-12', totalRupee: '1.00' };
    expect(await withdraw(context(), creatorOf(0), form)).toMatchObject({ coins: 500, paise: 100 });
    expect(await differences()).toEqual([]);
  });

  it('are not released before the month is counted', async () => {
    await crowd(reelOf(0), 1500, at('2026-11-05'));
    now = closing;
    expect(await release()).toBeUndefined();
    await closeAt();
    expect(await release()).toMatchObject({ views: 500 });
  });

  it('of a whole site are released at once, and of nobody else', async () => {
    await crowd(reelOf(0), 1500, at('2026-11-05'));
    await crowd(reelOf(1), 1010, at('2026-11-06'));
    await crowd(reelOf(2), 1000, at('2026-11-07'));
    await closeAt(at('2026-12-04'));
    const released = await releaseMonthOfAll(context(), month, decision);
    expect(released.map(({ views, coins }) => [views, coins]).sort()).toEqual([
      [10, 1],
      [500, 50],
    ]);
    expect(await releaseMonthOfAll(context(), month, decision)).toEqual([]);
    expect(await differences()).toEqual([]);
    await changeAdjustments(db, { coins: 51 }, 'released');
    expect((await differences()).map(({ figure }) => figure)).toEqual(['released: coins', 'released: coins']);
  });
});

describe('a month under a rupee is paid with a later one', () => {
  /** 250 coins for reels and 100 for views. */
  async function smallMonth(place: number, on: Date): Promise<void> {
    for (let made = 0; made < 50; made += 1) await publishedReel(db, creatorOf(place), on, zone);
    await crowd(reelOf(place), 1000, on);
  }
  const ask = (place: number, totalRupee: string) =>
    withdraw(context(), creatorOf(place), { userId: creatorOf(place), month: '2026-12', totalRupee });

  it('if five established accounts watched it, and not if only four and others did', async () => {
    for (const on of ['2026-11-05', '2026-12-05'])
      for (const place of [0, 5]) await smallMonth(place, at(on));
    for (let made = 0; made < 4; made += 1) await watchMuch(await somebody(), { of: 6, days: 4, views: 12 });
    await watchMuch(await somebody());
    for (let made = 0; made < 3; made += 1) await watch(await somebody(), reelOf(5), at('2026-11-20'));
    await closeAt(at('2027-01-01'));
    await expect(ask(5, '1.41')).rejects.toMatchObject({ code: 'below_minimum' });
    expect((await showHistory(context(), creatorOf(5))).balance).toMatchObject({ availablePaise: 0 });
    expect((await showHistory(context(), creatorOf(0))).balance).toMatchObject({ availablePaise: 140 });
    expect(await ask(0, '1.40')).toMatchObject({ paise: 140, carried: [{ month, coins: 351 }] });
    expect(await differences()).toEqual([]);
  });

  it('if something was released in it', async () => {
    await crowd(reelOf(0), 3000, at('2026-11-05'));
    await closeAt(at('2026-12-04'));
    expect(await releaseMonth(context(), { creatorId: creatorOf(0), month }, decision)).toMatchObject({
      coins: 200,
    });
    await smallMonth(0, at('2027-01-05'));
    await closeAt(at('2027-02-01'));
    const form = { userId: creatorOf(0), month: '2027-01', totalRupee: '1.10' };
    expect(await withdraw(context(), creatorOf(0), form)).toMatchObject({
      paise: 110,
      carried: [{ month: '2026-12', coins: 200 }],
    });
    expect(await differences()).toEqual([]);
  });
});

describe('likes of a month', () => {
  it('count at most 30 of each established account, and the first 250 of all others [long]', async () => {
    const posts: string[] = [];
    for (let made = 0; made < 31; made += 1) {
      const fileName = await uploadedPhoto(db, creatorOf(0), now);
      const form = { fileName, caption: '', description: '' };
      posts.push((await publishPost(context(), creatorOf(0), form)).id);
    }
    const [keen, established] = [await somebody(), await somebody()];
    for (const one of [keen, established]) await watchMuch(one);
    for (const id of posts) await likePost(context(), id, keen);
    const [first = ''] = posts;
    await likePost(context(), first, established);
    for (let made = 0; made < 270; made += 1) await likePost(context(), first, await personIn(db, now));
    const paid = async () => (await worthOfMonth(context(), creatorOf(0), month)).paid.likes;
    expect(await paid()).toBe(30 + 1 + 250);
    await closeAt();
    expect(await paid()).toBe(30 + 1 + 250);
    const shown = await showMonth(context(), creatorOf(0), month, { limit: 50 });
    expect(shown.data.unpaidLikes).toEqual({ count: 21, coins: 2 });
    expect(await differences()).toEqual([]);
  });
});

describe('the audit', () => {
  it('reports rows of accounts that differ from the views', async () => {
    await watchMuch(await somebody());
    await sql`update viewer_months set views = views + 1, days = 1`.execute(db);
    await db.deleteFrom('creator_viewers').where('creator_id', '=', creatorOf(1)).execute();
    const figures = (await differences()).map(({ what, figure }) => `${what} ${figure}`);
    expect(figures.sort()).toEqual(['viewer active people', 'viewer days', 'viewer viewers', 'viewer views']);
  });

  it.each([
    ['too young', { joined: at('2026-11-26') }, '2026-11-26'],
    ['of somebody who never verified an address', { verified: null }, '2026-11-10'],
  ])('names an established account that is %s', async (_, account, from) => {
    const id = await somebody(account);
    await watchMuch(id, { from });
    await closeAt();
    expect(await differences()).toEqual([]);
    await db.insertInto('established_accounts').values({ month, person_id: id, views: 200 }).execute();
    expect(await differences()).toContainEqual({
      what: 'viewer',
      id,
      month,
      figure: 'established',
      recorded: 1,
      derived: 0,
    });
  });

  it('names an account that lets more pay than it may, and shares that differ from those of the accounts', async () => {
    const id = await somebody();
    await watchMuch(id);
    await closeAt();
    await db.updateTable('established_accounts').set({ views: 201 }).execute();
    await db
      .updateTable('month_shares')
      .set({ accounts: 2 })
      .where('creator_id', '=', creatorOf(0))
      .execute();
    const found = await differences();
    expect(found).toContainEqual(
      expect.objectContaining({ id, figure: 'views that an account lets pay', recorded: 201, derived: 200 }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ id: creatorOf(0), figure: 'accounts', recorded: 2, derived: 1 }),
    );
  });
});
