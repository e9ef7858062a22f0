import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, newKey } from '#server/platform/ids.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { reopenMonths, showAndWatch } from '#testing/fixtures/watching.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { closeMonths } from '../months/closing.ts';
import { likePost, unlikePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { publishStory } from '../posts-and-stories/stories.ts';
import { deleteReel } from '../reels/deletion.ts';
import { recordShowings } from '../views/views.ts';

const zone = 'Asia/Kolkata';
const now = new Date('2026-11-15T06:30:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const october = new Date('2026-10-20T06:30:00Z');

let server: TestServer;
let folder: string;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer();
  server.now.value = now;
  folder = await mkdtemp(join(tmpdir(), 'jhalak-earnings-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await reopenMonths(server.db);
  asha = await signUpSomebody(server);
});

const get = (path: string, who = asha) => call(server, { url: `/api/${path}`, headers: who.headers });
const reel = (creatorId: string, at = now, bytes?: string) =>
  publishedReel(server.db, creatorId, at, zone, bytes);
const post = async (creatorId: string, at = now, bytes?: string) => {
  const fileName = await uploadedPhoto(server.db, creatorId, at, bytes);
  const form = { fileName, caption: 'A photo', description: '' };
  return (await publishPost(contextAt(server.db, at, zone), creatorId, form)).id;
};
const story = async (creatorId: string, at = now) => {
  const fileName = await uploadedPhoto(server.db, creatorId, at);
  return (await publishStory(contextAt(server.db, at, zone), creatorId, { fileName, statusText: 'A story' }))
    .id;
};
const viewerOf = (name: string) => createHash('sha256').update(name).digest().subarray(0, 16);
/** Viewers watch a reel. */
const see = (reelId: string, viewers: number) =>
  showAndWatch(
    contextOn(server.db),
    Array.from({ length: viewers }, (_, place) => ({
      ...{ reelId, viewer: viewerOf(`${place} of ${reelId}`), address: Buffer.alloc(8), at: now },
      ...{ signedIn: false, issuedAt: minutesAgo(1), neededMs: 4000 },
    })),
  );
/** Shows a reel without a report that it was watched. */
const show = (reelId: string, times: number, who: { personId?: string; bot?: boolean }) =>
  recordShowings(
    contextOn(server.db),
    Array.from({ length: times }, () => ({ reelId, personId: undefined, bot: false, at: now, ...who })),
  );
const like = async (postId: string, people: number, at = now) => {
  for (let place = 0; place < people; place += 1)
    await likePost(contextAt(server.db, at, zone), postId, await personIn(server.db, at));
};
/** Publishes two of each kind in November and one in October. */
async function publishAll() {
  const reels = [await reel(asha.id, minutesAgo(9)), await reel(asha.id, minutesAgo(8))];
  const posts = [await post(asha.id, minutesAgo(7)), await post(asha.id, minutesAgo(6))];
  await story(asha.id, minutesAgo(5));
  await reel(asha.id, october);
  await see(reels[0] ?? '', 19);
  await see(reels[1] ?? '', 8);
  await like(posts[0] ?? '', 6);
  await like(posts[1] ?? '', 7);
  return { reels, posts };
}

describe('every earnings endpoint responds to the owner only (specification §6)', () => {
  const someone = newId(now);
  it.each<[method: 'GET' | 'POST', path: (userId: string) => string, payload?: (userId: string) => object]>([
    ['GET', (id) => `reel/totalViewsByUser/${id}`],
    ['GET', (id) => `post/likedPosts/count/${id}`],
    ['GET', (id) => `user-earnings/history/${id}`],
    ['GET', (id) => `user-earnings/withdraw-status/${id}`],
    ['GET', (id) => `user-earnings/allrequests/${id}`],
    ['GET', (id) => `user-earnings/activity/${id}`],
    ['GET', (id) => `user-earnings/month/${id}/2026-10`],
    ['GET', (id) => `user-earnings/statement/${id}/2026-10`],
    ['POST', () => 'user-earnings/update-status', (userId) => ({ userId, month: '2026-10' })],
    ['POST', () => 'user-earnings/request', (userId) => ({ userId, month: '2026-10', totalRupee: 1 })],
    [
      'POST',
      () => 'activity/save',
      (userId) => ({ userId, events: [{ id: someone, kind: 'scroll', reelId: someone }] }),
    ],
  ])('%s %s', async (method, path, payload) => {
    const ask = (userId: string, headers: Record<string, string>) =>
      server.inject({
        method,
        url: `/api/${path(userId)}`,
        headers,
        ...(payload ? { payload: payload(userId) } : {}),
      });
    expect((await ask(asha.id, {})).statusCode).toBe(401);
    const other = await signUpSomebody(server);
    const refused = await ask(asha.id, other.headers);
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'not_yours']);
    expect((await ask(asha.id, asha.headers)).json().code).not.toBe('not_yours');
  });
});

describe('what a reel earned', () => {
  it('goes from showing to coin, with the reasons why views do not count and its days, for its owner only', async () => {
    const id = await reel(asha.id, minutesAgo(9));
    await see(id, 19);
    await show(id, 4, {});
    await show(id, 2, { personId: asha.id });
    await show(id, 3, { bot: true });
    const { data } = await get(`user-earnings/reel/${id}`);
    const counts = { shown: 28, watched: 19, counted: 19 };
    expect(data).toMatchObject({ ...counts, viewCoins: 1 });
    const reasons = Object.fromEntries(
      data.uncounted.map(({ reason, count }: { reason: string; count: number }) => [reason, count]),
    );
    expect(reasons).toEqual({ not_watched: 4, own: 2, bot: 3 });
    expect(data.days).toEqual([{ day: '2026-11-15', ...counts }]);
    const views = `user-earnings/reel-views?ids=${id},${newId(now)}`;
    expect((await get(views)).data).toEqual([{ _id: id, ...counts }]);

    const other = await signUpSomebody(server);
    expect((await get(views, other)).data).toEqual([]);
    const url = `/api/user-earnings/reel/${id}`;
    expect((await server.inject({ url, headers: other.headers })).statusCode).toBe(404);
  });

  it('is summed up for the day before today, in the business time zone', async () => {
    // Midnight in India is half past six in the evening, in UTC.
    const late = new Date('2026-11-14T18:29:00Z');
    const id = await reel(asha.id, new Date('2026-11-14T10:00:00Z'));
    const showing = { reelId: id, personId: undefined, bot: false };
    await recordShowings(contextOn(server.db), [
      { ...showing, at: late },
      { ...showing, at: new Date(late.getTime() + 60_000) },
      { ...showing, at: new Date('2026-11-13T18:29:00Z') },
    ]);
    const none = { watched: 0, counted: 0, viewCoins: 0 };
    expect((await get('user-earnings/yesterday')).data).toEqual({ day: '2026-11-14', shown: 1, ...none });
    const other = await signUpSomebody(server);
    expect((await get('user-earnings/yesterday', other)).data).toMatchObject({ shown: 0, ...none });
  });

  it('is nothing for a reel that nobody saw', async () => {
    const id = await reel(asha.id);
    expect((await get(`user-earnings/reel/${id}`)).data).toEqual({
      ...{ shown: 0, watched: 0, counted: 0, viewCoins: 0 },
      ...{ uncounted: [], days: [] },
    });
    expect((await get(`user-earnings/reel-views?ids=${id}`)).data).toEqual([]);
  });

  it.each(['', 'x', '0'.repeat(36), `${newId(now)},`, Array(101).fill(newId(now)).join(',')])(
    'is refused for ids like %.40s',
    async (ids) => {
      const url = `/api/user-earnings/reel-views?ids=${ids}`;
      expect((await server.inject({ url, headers: asha.headers })).statusCode).toBe(400);
    },
  );
});

describe('the lifetime figures', () => {
  it('are the sums of the events that count', async () => {
    await publishAll();
    expect(await get(`reel/totalViewsByUser/${asha.id}`)).toMatchObject({ totalViews: 27 });
    expect(await get(`post/likedPosts/count/${asha.id}`)).toMatchObject({ totalLikedPosts: 13 });
  });
});

describe('update-status', () => {
  it('ignores figures of the client and returns the record of the server', async () => {
    await publishAll();
    const claim = { coins: 1_000_000, breakdown: { reels: 200_000 } };
    const { data } = await call(server, {
      method: 'POST',
      url: '/api/user-earnings/update-status',
      headers: asha.headers,
      payload: { userId: asha.id, month: '2026-11', ...claim },
    });
    expect(data).toEqual({
      userId: asha.id,
      month: '2026-11',
      monthLabel: 'November 2026',
      coins: 18,
      breakdown: { reels: 2, posts: 2, stories: 1, views: 27, likes: 13 },
      paise: 3,
      rupees: '0.03',
      lines: [
        { kind: 'reels', count: 2, paid: 2, coinsEach: 5, perCoin: null, coins: 10, leftOver: 0 },
        { kind: 'posts', count: 2, paid: 2, coinsEach: 2, perCoin: null, coins: 4, leftOver: 0 },
        { kind: 'stories', count: 1, paid: 1, coinsEach: 1, perCoin: null, coins: 1, leftOver: 0 },
        { kind: 'views', count: 27, paid: 27, coinsEach: null, perCoin: 10, coins: 2, leftOver: 7 },
        { kind: 'likes', count: 13, paid: 13, coinsEach: null, perCoin: 10, coins: 1, leftOver: 3 },
      ],
    });
  });
});

describe('the history', () => {
  it('has a record for each month, newest first, and their sums', async () => {
    await publishAll();
    await closeMonths(server.context);
    const { data } = await get(`user-earnings/history/${asha.id}`);
    expect(data).toEqual({
      data: [
        {
          userId: asha.id,
          month: 'November 2026',
          monthKey: '2026-11',
          reels: 2,
          posts: 2,
          stories: 1,
          views: 27,
          likes: 13,
          waitingViews: 0,
          decisions: [],
          missingCoins: 0,
          totalCoins: 18,
          paise: 3,
          rupees: '0.03',
          state: 'current',
          counted: false,
          withdrawable: false,
          payablePaise: 3,
          payableRupees: '0.03',
          carries: [],
          carriedBy: null,
          rejection: null,
        },
        expect.objectContaining({ monthKey: '2026-10', totalCoins: 5, paise: 1, state: 'too_little' }),
      ],
      totalCoins: 23,
      totalPaise: 4,
      totalRupees: '0.04',
      lookAskedAt: null,
      balance: { availablePaise: 0, pendingPaise: 0, paidPaise: 0 },
    });
  });

  it('is empty for a person who earned nothing', async () => {
    expect((await get(`user-earnings/history/${asha.id}`)).data).toEqual({
      data: [],
      totalCoins: 0,
      totalPaise: 0,
      totalRupees: '0.00',
      lookAskedAt: null,
      balance: { availablePaise: 0, pendingPaise: 0, paidPaise: 0 },
    });
  });
});

interface Item {
  _id: string;
  kind: string;
  coins: number;
}

describe('the breakdown of a month', () => {
  it('adds up by lines, and by items with their remainders', async () => {
    const { reels } = await publishAll();
    const { data } = await get(`user-earnings/month/${asha.id}/2026-11`);
    expect(data).toMatchObject({ totalCoins: 18, paise: 3, unpaidCoins: 3, coinsPerRupee: 500 });
    expect(data.lines).toEqual([
      { kind: 'reels', count: 2, paid: 2, coinsEach: 5, perCoin: null, coins: 10, leftOver: 0 },
      { kind: 'posts', count: 2, paid: 2, coinsEach: 2, perCoin: null, coins: 4, leftOver: 0 },
      { kind: 'stories', count: 1, paid: 1, coinsEach: 1, perCoin: null, coins: 1, leftOver: 0 },
      { kind: 'views', count: 27, paid: 27, coinsEach: null, perCoin: 10, coins: 2, leftOver: 7 },
      { kind: 'likes', count: 13, paid: 13, coinsEach: null, perCoin: 10, coins: 1, leftOver: 3 },
    ]);
    // 19 views are one coin and 9 left over, 8 views are no coin and 8 left over: the 17 left over make the second coin.
    expect(data.items.at(-1)).toMatchObject({
      _id: reels[0],
      counted: 19,
      countedCoins: 1,
      leftOver: 9,
      coins: 6,
    });
    expect(data.pooledViews).toEqual({ count: 17, coins: 1, leftOver: 7 });
    expect(data.pooledLikes).toEqual({ count: 13, coins: 1, leftOver: 3 });
    const items = data.items.reduce((sum: number, { coins }: Item) => sum + coins, 0);
    expect(items + data.pooledViews.coins + data.pooledLikes.coins).toBe(18);
  });

  it('is returned in pages', async () => {
    await publishAll();
    const all = (await get(`user-earnings/month/${asha.id}/2026-11`)).data.items;
    const found: Item[] = [];
    let cursor = '';
    do {
      const page = await get(
        `user-earnings/month/${asha.id}/2026-11?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      found.push(...page.data.items);
      expect(page.data.totalCoins).toBe(18);
      cursor = page.nextCursor;
    } while (cursor);
    expect(found).toEqual(all);
  });

  it('gives the reason for each view and like that did not count', async () => {
    const [file, photo] = [newKey(), newKey()];
    const first = await reel(asha.id, minutesAgo(5), file);
    const copy = await reel(asha.id, minutesAgo(4), file);
    const gone = await reel(asha.id, minutesAgo(3));
    await see(first, 3);
    await see(first, 2);
    await show(first, 1, { personId: asha.id });
    await show(first, 4, { bot: true });
    await see(copy, 2);
    await see(gone, 5);
    const context = { ...contextAt(server.db, now, zone), storage: await openDiskStorage(folder) };
    await deleteReel(context, gone, asha.id);
    const liked = await post(asha.id, minutesAgo(2), photo);
    await like(liked, 2);
    await likePost(context, liked, asha.id);
    const fickle = await personIn(server.db, now);
    await likePost(context, liked, fickle);
    await unlikePost(context, liked, fickle);

    const { data } = await get(`user-earnings/month/${asha.id}/2026-11`);
    const reasons = Object.fromEntries(
      data.items.map(
        (item: { _id: string; counted: number; uncounted: { reason: string; count: number }[] }) => [
          item._id,
          [
            `${item.counted} counted`,
            ...item.uncounted.map(({ reason, count }) => `${count} ${reason}`).sort(),
          ].join(', '),
        ],
      ),
    );
    expect(reasons).toEqual({
      [first]: '3 counted, 1 own, 2 repeated, 4 bot',
      [copy]: '0 counted, 2 copy',
      [gone]: '0 counted, 5 deleted',
      [liked]: '2 counted, 1 own, 1 taken_back',
    });
    expect(data.totalCoins).toBe(7);
    expect(data.items.reduce((sum: number, { coins }: Item) => sum + coins, 0)).toBe(7);
  });

  it('lists a reel of an earlier month with its views of this month', async () => {
    const old = await reel(asha.id, october);
    await see(old, 12);
    const { data } = await get(`user-earnings/month/${asha.id}/2026-11`);
    expect(data.items).toMatchObject([{ _id: old, publishedCoins: 0, counted: 12, coins: 1 }]);
    expect(data.totalCoins).toBe(1);
  });

  it('has the same lines in the statement, for a month given by name or by number', async () => {
    await publishAll();
    const { data } = await get(`user-earnings/statement/${asha.id}/November%202026`);
    expect(data).toMatchObject({
      month: '2026-11',
      name: 'Asha Rao',
      totalCoins: 18,
      state: 'current',
      postings: [],
      owedPaise: 0,
      paidPaise: 0,
      timeZone: zone,
    });
    expect(data.lines.reduce((sum: number, { coins }: Item) => sum + coins, 0)).toBe(18);
  });

  it('is refused for an invalid month', async () => {
    for (const month of ['2026-13', 'November', '2026'])
      expect(
        (
          await server.inject({
            url: `/api/user-earnings/month/${asha.id}/${month}`,
            headers: asha.headers,
          })
        ).json(),
      ).toMatchObject({ code: 'invalid_input', error: 'This is not a month; write it as YYYY-MM.' });
  });
});
