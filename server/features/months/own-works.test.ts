import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn } from '#testing/context.ts';
import {
  changeAdjustments,
  findOwn,
  personIn,
  publishedReel,
  uploadedPhoto,
} from '#testing/fixtures/earnings.ts';
import { showAndWatch } from '#testing/fixtures/watching.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { auditLedger } from '../earnings/audit.ts';
import { showHistory } from '../earnings/history.ts';
import { showMonth, showStatement } from '../earnings/month-detail.ts';
import { likePost, unlikePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { releaseMonth, voidMonth } from '../withdrawals/releases.ts';
import { listWaitingMonths } from '../withdrawals/waiting-views.ts';
import { closeMonths } from './closing.ts';

/* Each test has its own database, since the audit covers the whole site. No account is established: 1,000 views of a month pay. */
const zone = 'Asia/Kolkata';
const [november, december, january] = ['2026-11', '2026-12', '2027-01'] as const;
const at = (date: string) => new Date(`${date}T12:00:00+05:30`);
const reason = 'Looked at';

let db: Kysely<Tables>;
let now: Date;
let creator: string;
let other: string;
beforeEach(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  now = at('2026-11-02');
  [creator, other] = [await personIn(db, at('2026-09-01')), await personIn(db, at('2026-09-01'))];
  return async () => {
    await db.destroy();
    await database.drop();
  };
});

const context = () => contextOn(db, { clock: () => now });
const differences = async () => (await auditLedger(context())).differences;
const decision = { reason, operatorId: null };
const november_ = () => ({ creatorId: creator, month: november });
/** A reel that somebody else published before. */
async function copyOf(on = '2026-11-03'): Promise<string> {
  const bytes = randomBytes(8).toString('hex');
  await publishedReel(db, other, at(on), zone, bytes);
  return await publishedReel(db, creator, at(on), zone, bytes);
}
async function watched(reelId: string, many: number, on: string): Promise<void> {
  const views = Array.from({ length: many }, () => ({
    ...{ reelId, viewer: randomBytes(16), address: randomBytes(8), signedIn: false },
    ...{ issuedAt: new Date(at(on).getTime() - 5000), at: at(on), neededMs: 4000 },
  }));
  await showAndWatch(context(), views);
}
async function closedOn(date: string): Promise<void> {
  now = at(date);
  await closeMonths(context());
}
const adjustments = () => db.selectFrom('adjustments').selectAll().orderBy('at').orderBy('id').execute();
const coinsOf = async () =>
  Object.fromEntries(
    (await showHistory(context(), creator)).data.map(({ monthKey, totalCoins }) => [monthKey, totalCoins]),
  );
/** Everything that is stored of closed months and that no later decision changes. */
const stored = async () => [
  await db.selectFrom('month_results').selectAll().orderBy('creator_id').orderBy('month').execute(),
  await db.selectFrom('reel_days').selectAll().orderBy('reel_id').orderBy('day').orderBy('verdict').execute(),
  await db.selectFrom('views').select(['reel_id', 'viewer', 'verdict']).orderBy('viewer').execute(),
];

describe('a work that was found to be no copy after its month was closed', () => {
  it('is a line of the month of the decision, worth what its month would have paid, and changes nothing in it', async () => {
    const reel = await copyOf();
    await watched(reel, 25, '2026-11-05');
    await closedOn('2026-12-04');
    const before = await stored();
    await findOwn(context(), reel);
    expect(await stored()).toEqual(before);
    expect(await adjustments()).toMatchObject([
      {
        creator_id: creator,
        month: november,
        counts_in: december,
        kind: 'own',
        work_id: reel,
        views: 25,
        coins: 7,
      },
    ]);
    const { data } = await showMonth(context(), creator, december, { limit: 50 });
    expect(data.lines.at(-1)).toMatchObject({ kind: 'own_works', coins: 7 });
    const line = { act: 'own', month: november, countsIn: december, views: 25, coins: 7, reason };
    expect(data).toMatchObject({ totalCoins: 7, decisions: [line] });
    const past = (await showMonth(context(), creator, november, { limit: 50 })).data;
    expect(past).toMatchObject({
      totalCoins: 0,
      items: [{ _id: reel, coins: 0, uncounted: [{ reason: 'copy', count: 25 }] }],
    });
    expect(await showStatement(context(), creator, december)).toMatchObject({ decisions: [line] });
    expect(await coinsOf()).toEqual({ [december]: 7 });
    await closedOn('2027-01-02');
    expect(await coinsOf()).toEqual({ [december]: 7 });
    expect(await differences()).toEqual([]);
    await deleteAccount(context(), creator, creator);
    expect(await adjustments()).toMatchObject([{ creator_id: creator, coins: 7 }]);
    expect(await differences()).toEqual([]);
  });

  it('is paid within the limit of its month; what is above waits, and is released or void like other views', async () => {
    const own = await publishedReel(db, creator, at('2026-11-03'), zone);
    const [first, second] = [await copyOf(), await copyOf()];
    await watched(own, 600, '2026-11-05');
    await watched(first, 300, '2026-11-05');
    await watched(second, 305, '2026-11-05');
    await closedOn('2026-12-04');
    await Promise.all([first, second].map((reel) => findOwn(context(), reel)));
    const rows = await adjustments();
    expect(rows.map(({ coins }) => coins).reduce((sum, coins) => sum + coins)).toBe(10 + 40);
    expect(await coinsOf()).toEqual({ [november]: 65, [december]: 50 });
    const waiting = async () => (await listWaitingMonths(context(), { limit: 10 })).data;
    expect(await waiting()).toMatchObject([
      { userId: creator, month: november, watched: 1205, paid: 1000, waiting: 205, coins: 20 },
    ]);
    const [, past] = (await showHistory(context(), creator)).data;
    expect(past).toMatchObject({ monthKey: november, views: 600, waitingViews: 205 });
    expect(await releaseMonth(context(), november_(), decision)).toMatchObject({ views: 205, coins: 20 });
    expect(await waiting()).toEqual([]);
    expect(await voidMonth(context(), { ...november_(), what: 'paid' }, decision)).toMatchObject({
      ...{ counts_in: november, views: 1000, coins: -100 },
    });
    expect(await voidMonth(context(), { ...november_(), what: 'waiting' }, decision)).toMatchObject({
      coins: -20,
    });
    // What is left is what three reels earned by being published.
    expect(Object.values(await coinsOf()).reduce((sum, coins) => sum + coins, 0)).toBe(15);
    expect(await differences()).toEqual([]);
  });

  it('follows an earlier decision about the views above the limit: all of its views pay, or none of them', async () => {
    const own = await publishedReel(db, creator, at('2026-11-03'), zone);
    const [first, second] = [await copyOf(), await copyOf('2026-12-05')];
    await watched(own, 1100, '2026-11-05');
    await watched(first, 200, '2026-11-05');
    await closedOn('2026-12-06');
    await watched(own, 1100, '2026-12-07');
    await watched(second, 200, '2026-12-07');
    await releaseMonth(context(), november_(), decision);
    await closedOn('2027-01-02');
    await voidMonth(context(), { creatorId: creator, month: december, what: 'waiting' }, decision);
    for (const reel of [first, second]) await findOwn(context(), reel);
    expect((await adjustments()).filter(({ kind }) => kind === 'own')).toMatchObject([
      { month: november, counts_in: january, coins: 5 + 20 },
      { month: december, counts_in: january, coins: 5 },
    ]);
    expect((await listWaitingMonths(context(), { limit: 10 })).data).toEqual([]);
    expect(await differences()).toEqual([]);
  });

  it('pays nothing for its views either once those above the limit, which were released before, are void', async () => {
    const own = await publishedReel(db, creator, at('2026-11-03'), zone);
    const copy = await copyOf();
    await watched(own, 1100, '2026-11-05');
    await watched(copy, 200, '2026-11-05');
    await closedOn('2026-12-06');
    await releaseMonth(context(), november_(), decision);
    now = at('2027-01-02');
    await closeMonths(context());
    await findOwn(context(), copy);
    for (const what of ['waiting', 'paid'] as const)
      await voidMonth(context(), { ...november_(), what }, decision);
    expect((await adjustments()).map(({ kind, counts_in, coins }) => [kind, counts_in, coins])).toEqual([
      ['released', december, 10],
      ['own', january, 5 + 20],
      ['void_waiting', january, -(10 + 20)],
      ['void_paid', november, -100],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('counts the likes of a photo, each in its month', async () => {
    const fileName = await uploadedPhoto(db, creator, at('2026-11-03'));
    const { id } = await publishPost({ ...context(), clock: () => at('2026-11-03') }, creator, {
      fileName,
      caption: '',
      description: '',
    });
    await db.updateTable('posts').set({ duplicate: true }).where('id', '=', id).execute();
    await sql`update creator_months set posts = 0`.execute(db);
    const likers: string[] = [];
    for (let made = 0; made < 24; made += 1) likers.push(await personIn(db, at('2026-09-01')));
    const [first, second, ...others] = likers as [string, string, ...string[]];
    for (const person of [first, second, ...others.slice(0, 10)]) await likePost(context(), id, person);
    await unlikePost(context(), id, first);
    await closedOn('2026-12-04');
    await unlikePost(context(), id, second);
    for (const person of others.slice(10)) await likePost(context(), id, person);
    await findOwn(context(), id);
    // Ten likes and the one that was taken back after November, and two coins for the photo.
    expect(await adjustments()).toMatchObject([{ month: november, kind: 'own', views: 0, coins: 3 }]);
    const { data } = await showMonth(context(), creator, december, { limit: 50 });
    expect(data.lines.find(({ kind }) => kind === 'likes')).toMatchObject({ count: 12, coins: 1 });
    await likePost(context(), id, second);
    await likePost(context(), id, first);
    expect(await coinsOf()).toMatchObject({ [december]: 4 });
    expect(await differences()).toEqual([]);
    await closedOn('2027-01-04');
    expect(await differences()).toEqual([]);
  });

  it('has likes that pay within the limits of its month', async () => {
    const photo = async () => {
      const fileName = await uploadedPhoto(db, creator, at('2026-11-03'));
      const form = { fileName, caption: '', description: '' };
      return (await publishPost({ ...context(), clock: () => at('2026-11-03') }, creator, form)).id;
    };
    const [own, copy] = [await photo(), await photo()];
    await sql`
      insert into post_likes (post_id, person_id, liked_at, creator_id)
      select ${own}::uuid, gen_random_uuid(), ${at('2026-11-05')}::timestamptz, ${creator}::uuid from generate_series(1, 300)
      union all select ${copy}::uuid, gen_random_uuid(), ${at('2026-11-05')}::timestamptz, ${creator}::uuid from generate_series(1, 20)`.execute(
      db,
    );
    await db.updateTable('posts').set({ duplicate: true }).where('id', '=', copy).execute();
    await db.updateTable('creator_months').set({ posts: 1, likes: 300 }).execute();
    await closedOn('2026-12-04');
    await sql`
      insert into established_accounts (month, person_id, views)
      select ${november}, person_id, 200 from post_likes where post_id = ${copy}`.execute(db);
    await findOwn(context(), copy);
    // 250 of 300 likes of others pay, and all 20 of established accounts.
    expect(await adjustments()).toMatchObject([{ kind: 'own', coins: 2 + 2 }]);
    expect((await differences()).filter(({ figure }) => figure.startsWith('own'))).toEqual([]);
  });

  it('is derived again by the audit, which nobody can change unseen', async () => {
    const reel = await copyOf();
    await watched(reel, 25, '2026-11-05');
    await closedOn('2026-12-04');
    await findOwn(context(), reel);
    await expect(db.updateTable('adjustments').set({ coins: 8 }).execute()).rejects.toThrow(
      /^adjustments(_\d+)? is only ever added to$/,
    );
    await expect(db.deleteFrom('adjustments').execute()).rejects.toThrow(/^adjustments(_\d+)? is only/);
    await changeAdjustments(db, { coins: 8, views: 30, counts_in: january }, 'own');
    expect((await differences()).map(({ figure }) => figure)).toEqual([
      'own: views',
      'own: coins',
      'own: counts in',
    ]);
  });
});
