import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { coinsOf } from '#contract/earning-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newKey } from '#server/platform/ids.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import type { Storage } from '#server/platform/storage.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { earnReleased, personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { reopenMonths, showAndWatch } from '#testing/fixtures/watching.ts';
import {
  browser,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { addToMonths } from '../month-counts/months.ts';
import { closeMonths } from '../months/closing.ts';
import { deletePost, deleteStory } from '../posts-and-stories/deletion.ts';
import { likePost, unlikePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { publishStory } from '../posts-and-stories/stories.ts';
import { deleteReel } from '../reels/deletion.ts';
import { withdraw } from '../withdrawals/withdrawals.ts';

const zone = 'Asia/Kolkata';
const hour = 3_600_000;
const day = 24 * hour;
/** Noon of the 15th of November 2026 in India. */
const now = new Date('2026-11-15T06:30:00Z');
const last = '2026-10';

let server: TestServer;
let db: Kysely<Tables>;
let storage: Storage;
let folder: string;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer();
  server.now.value = now;
  db = server.db;
  folder = await mkdtemp(join(tmpdir(), 'jhalak-edges-'));
  storage = await openDiskStorage(folder);
  asha = await signUpSomebody(server);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => reopenMonths(db));

const person = () => personIn(db, new Date(now.getTime() - 365 * day));
const countsIn = (creatorId: string) =>
  db
    .selectFrom('creator_months')
    .select(['month', 'reels', 'posts', 'stories', 'views', 'likes'])
    .where('creator_id', '=', creatorId)
    .orderBy('month')
    .execute();
/** The counts of each month of a creator, as `month:figure count …` without zeros. */
async function reported(creatorId: string): Promise<string> {
  return (await countsIn(creatorId))
    .map(({ month, ...counts }) => [
      `${month}:`,
      ...Object.entries(counts).flatMap(([figure, count]) => (count ? [`${count} ${figure}`] : [])),
    ])
    .filter((words) => words.length > 1)
    .map((words) => words.join(' '))
    .join(', ');
}
const viewerOf = (name: string) => createHash('sha256').update(name).digest().subarray(0, 16);
/** A viewer watches a reel from this moment for five seconds, and reports it. */
const watchedAt = (
  reelId: string,
  { viewer = 'a', at = now, personId }: { viewer?: string; at?: Date; personId?: string | undefined } = {},
) =>
  showAndWatch(contextOn(db), [
    {
      ...{ reelId, viewer: viewerOf(`${viewer} of ${reelId}`), address: Buffer.alloc(8), neededMs: 4000 },
      ...{ personId, signedIn: personId !== undefined, issuedAt: at, at: new Date(at.getTime() + 5000) },
    },
  ]);
const coins = async (creatorId: string) =>
  (await countsIn(creatorId)).map(({ month: _, ...counts }) => coinsOf(counts));

describe('the worth of a month when it is withdrawn', () => {
  it.each<
    [
      what: string,
      earned: { released: number; [figure: string]: number },
      totalRupee: string,
      outcome: number | string,
    ]
  >([
    ['nothing at all', { released: 0 }, '0.00', 'below_minimum'],
    ['1 coin', { released: 0, stories: 1 }, '0.00', 'below_minimum'],
    ['499 coins, ₹0.99', { released: 499 }, '0.99', 'below_minimum'],
    ['499 coins, asked for as ₹1.00', { released: 499 }, '1.00', 'below_minimum'],
    ['500 coins, ₹1.00', { released: 500 }, '1.00', 100],
    ['501 coins, rounded down', { released: 500, stories: 1 }, '1.00', 100],
    ['504 coins, rounded down', { released: 500, posts: 2 }, '1.00', 100],
    ['504 coins, asked for rounded up', { released: 500, posts: 2 }, '1.01', 'amount_differs'],
    ['505 coins', { released: 500, reels: 1 }, '1.01', 101],
    ['49 reels beside 255 coins', { released: 255, reels: 49 }, '1.00', 100],
    ['51 reels beside 249 coins: 50 pay', { released: 249, reels: 51 }, '0.99', 'below_minimum'],
    ['29 posts beside 442 coins', { released: 442, posts: 29 }, '1.00', 100],
    ['31 posts beside 439 coins: 30 pay', { released: 439, posts: 31 }, '0.99', 'below_minimum'],
    ['31 stories beside 469 coins: 30 pay', { released: 469, stories: 31 }, '0.99', 'below_minimum'],
    ['999 views beside 401 coins', { released: 401, views: 999 }, '1.00', 100],
    ['1,010 views beside 399 coins: 1,000 pay', { released: 399, views: 1010 }, '0.99', 'below_minimum'],
    ['249 likes beside 476 coins', { released: 476, likes: 249 }, '1.00', 100],
    ['260 likes beside 474 coins: 250 pay', { released: 474, likes: 260 }, '0.99', 'below_minimum'],
    ['9 views and 9 likes beside 499 coins', { released: 499, views: 9, likes: 9 }, '0.99', 'below_minimum'],
    ['10 views beside 490 coins', { released: 490, views: 10, likes: 9 }, '0.98', 'below_minimum'],
    ['10 views beside 499 coins', { released: 499, views: 10 }, '1.00', 100],
    ['2^53 - 1 views: 1,000 pay', { released: 400, views: 2 ** 53 - 1 }, '1.00', 100],
  ])('%s', async (_what, { released, ...counts }, totalRupee, outcome) => {
    const id = await person();
    await inTransaction(db, (trx) => addToMonths(trx, [{ creatorId: id, month: last, ...counts }]));
    if (released > 0) await earnReleased(db, id, last, released);
    await closeMonths(contextAt(db, now));
    const asked = withdraw(contextAt(db, now), id, { userId: id, month: last, totalRupee });
    if (typeof outcome === 'number') expect((await asked).paise).toBe(outcome);
    else await expect(asked).rejects.toMatchObject({ code: outcome });
  });
});

describe('a count around 2^53, the largest exact number', () => {
  afterEach(() =>
    db
      .deleteFrom('creator_months')
      .where('views', '>', 2 ** 50)
      .execute(),
  );
  const monthOf = async (views: string) => {
    const id = await person();
    await inTransaction(db, (trx) => addToMonths(trx, [{ creatorId: id, month: last, views: 0 }]));
    await sql`update creator_months set views = ${views}::bigint where creator_id = ${id}`.execute(db);
    return id;
  };
  const stored = async (id: string) =>
    (
      await sql<{ views: string }>`
        select views::text as views from creator_months where creator_id = ${id}`.execute(db)
    ).rows[0]?.views;

  it.each([
    [1, '9007199254740992'],
    [2, '9007199254740993'],
  ])('2^53 - 1 views and %i more are %s', async (more, sum) => {
    const id = await monthOf('9007199254740991');
    for (let times = 0; times < more; times += 1)
      await inTransaction(db, (trx) => addToMonths(trx, [{ creatorId: id, month: last, views: 1 }]));
    expect(await stored(id)).toBe(sum);
  });

  it.each(['9007199254740992', '9007199254740993', '9223372036854775807'])(
    '%s views are refused to be read rather than rounded, and nothing is paid for them',
    async (views) => {
      const id = await monthOf(views);
      await expect(closeMonths(contextAt(db, now))).rejects.toThrow(
        `${views} is beyond what a number holds exactly`,
      );
      const form = { userId: id, month: last, totalRupee: '1801439850948.19' };
      await expect(withdraw(contextAt(db, now), id, form)).rejects.toMatchObject({
        code: 'month_not_counted',
      });
      expect(await stored(id)).toBe(views);
    },
  );

  it.each<[what: string, views: unknown]>([
    ['a view less than none', -1],
    ['half a view', 0.5],
    ['a view and a bit', 1 + Number.EPSILON],
    ['1e21 views', 1e21],
    ['not a number of views', Number.NaN],
    ['views without end', Number.POSITIVE_INFINITY],
    ['views in words', 'ten'],
    ['views in another notation', '1e1'],
  ])('%s cannot be counted', async (_what, views) => {
    const id = await person();
    await expect(
      inTransaction(db, (trx) => addToMonths(trx, [{ creatorId: id, month: last, views: views as number }])),
    ).rejects.toThrow(/violates check constraint|invalid input syntax|out of range/);
    expect(await reported(id)).toBe('');
  });
});

describe('the month of a request', () => {
  beforeAll(() => earnReleased(db, asha.id, last));
  const ask = async (month: unknown, totalRupee: unknown) => {
    const response = await server.inject({
      method: 'POST',
      url: '/api/user-earnings/request',
      headers: asha.headers,
      payload: { userId: asha.id, userName: 'Asha Rao', month, totalRupee } as object,
    });
    const body = response.json();
    if (response.statusCode !== 200) expect(body.error).toMatch(/^[A-Z].*\.$/u);
    return `${response.statusCode} ${body.code ?? body.data.month}`;
  };

  it.each<[month: unknown, answer: string]>([
    ['2025-13', '400 invalid_input'],
    ['0000-00', '400 invalid_input'],
    ['2026-00', '400 invalid_input'],
    ['2026-1', '400 invalid_input'],
    ['26-10', '400 invalid_input'],
    ['2026-10-01', '400 invalid_input'],
    ['2026/10', '400 invalid_input'],
    ['Octember 2026', '400 invalid_input'],
    ['', '400 invalid_input'],
    ['٢٠٢٦-١٠', '400 invalid_input'],
    ["2026-10'; drop table withdrawals", '400 invalid_input'],
    [null, '400 invalid_input'],
    [202_610, '400 invalid_input'],
    [{ month: last }, '400 invalid_input'],
    [undefined, '400 invalid_input'],
    ['2026-11', '409 month_not_over'],
    ['2026-12', '409 month_not_over'],
    ['9999-12', '409 month_not_over'],
    ['0000-01', '400 invalid_input'],
    ['January 0000', '400 invalid_input'],
    ['0001-01', '409 below_minimum'],
    ['2026-09', '409 below_minimum'],
    [last, `200 ${last}`],
    [` ${last} `, `200 ${last}`],
    ['October 2026', `200 ${last}`],
    ['october 2026', `200 ${last}`],
  ])('%j returns %s', async (month, answer) => {
    expect(await ask(month, '1.00')).toBe(answer);
  });

  it.each<[totalRupee: unknown, answer: string]>([
    [1, `200 ${last}`],
    ['1', `200 ${last}`],
    ['1.0', `200 ${last}`],
    ['1.000', `200 ${last}`],
    ['01.00', `200 ${last}`],
    [1.01, '409 amount_differs'],
    [0.99, '409 amount_differs'],
    ['1.001', '409 amount_differs'],
    [1.000_000_1, '409 amount_differs'],
    [0, '409 amount_differs'],
    [100, '409 amount_differs'],
    [2 ** 53 - 1, '409 amount_differs'],
    [2 ** 53, '409 amount_differs'],
    ['9007199254740992', '409 amount_differs'],
    ['9007199254740993', '409 amount_differs'],
    ['9007199254740993.01', '409 amount_differs'],
    ['-9007199254740993', '400 invalid_input'],
    ['90071992547409930', '400 invalid_input'],
    [1 + Number.EPSILON, '409 amount_differs'],
    ['1.00000000000000000001', '409 amount_differs'],
    ['1.000000000000000000001', '400 invalid_input'],
    [-0.01, '400 invalid_input'],
    ['.5', '400 invalid_input'],
    ['+1.00', '400 invalid_input'],
    ['0x1', '400 invalid_input'],
    [['1.00'], '400 invalid_input'],
    [-1, '400 invalid_input'],
    ['-1.00', '400 invalid_input'],
    ['', '400 invalid_input'],
    ['one', '400 invalid_input'],
    ['1e0', '400 invalid_input'],
    [1e21, '400 invalid_input'],
    ['₹1.00', '400 invalid_input'],
    ['1,00', '400 invalid_input'],
    ['1.', '400 invalid_input'],
    [null, '400 invalid_input'],
    [true, '400 invalid_input'],
    [undefined, '400 invalid_input'],
  ])('totalRupee %j returns %s', async (totalRupee, answer) => {
    expect(await ask(last, totalRupee)).toBe(answer);
  });

  it.each([
    ['0000-01', 400],
    ['January 0000', 400],
    ['0001-01', 200],
    ['9999-12', 200],
  ])('the breakdown and the statement of %j return %i', async (month, status) => {
    for (const what of ['month', 'statement']) {
      const url = `/api/user-earnings/${what}/${asha.id}/${encodeURIComponent(month)}`;
      expect((await server.inject({ url, headers: asha.headers })).statusCode).toBe(status);
    }
  });

  it('all these requests made one withdrawal', async () => {
    const rows = await db
      .selectFrom('withdrawals')
      .select('paise')
      .where('creator_id', '=', asha.id)
      .execute();
    expect(rows).toEqual([{ paise: 100 }]);
  });
});

describe('the views that count', () => {
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
  const see = (reelId: string, viewer: string, at = now, personId?: string) =>
    watchedAt(reelId, { viewer, at, personId });

  it.each([
    [9, 5],
    [10, 6],
    [19, 6],
    [20, 7],
  ])('%i views of one reel and the reel itself are %i coins', async (views, worth) => {
    const creator = await person();
    const reel = await publishedReel(db, creator, now, zone);
    for (let index = 0; index < views; index += 1) await see(reel, `viewer ${index}`);
    expect(await coins(creator)).toEqual([worth]);
  });

  it('9 views of one reel and 1 of another are one coin: a month is rounded down once', async () => {
    const creator = await person();
    const reels = [await publishedReel(db, creator, now, zone), await publishedReel(db, creator, now, zone)];
    for (let index = 0; index < 10; index += 1)
      await see(reels[index === 9 ? 1 : 0] ?? '', `viewer ${index}`);
    expect(await coins(creator)).toEqual([11]);
  });

  it.each<[what: string, counted: number, views: { at?: Date; byCreator?: true }[]]>([
    ["the creator's own", 0, [{ byCreator: true }]],
    // Half a day after noon another day begins.
    ['again on the same day', 1, [{}, { at: later(12 * hour - 1) }]],
    ['again on the next day', 2, [{}, { at: later(12 * hour) }]],
  ])('%s', async (_what, counted, views) => {
    const creator = await person();
    const reel = await publishedReel(db, creator, now, zone);
    for (const { at, byCreator } of views) await see(reel, 'a', at, byCreator && creator);
    expect(await reported(creator)).toBe(`2026-11: 1 reels${counted ? ` ${counted} views` : ''}`);
  });

  it('a view of a duplicate does not count', async () => {
    const [first, second] = [await person(), await person()];
    const file = newKey();
    await publishedReel(db, first, now, zone, file);
    await see(await publishedReel(db, second, now, zone, file), 'a');
    expect(await reported(second)).toBe('');
  });

  it.each<[agent: string, counts: boolean]>([
    [browser, true],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', false],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', false],
    ['facebookexternalhit/1.1', false],
    ['WhatsApp/2.23.20.0', false],
    ['curl/8.5.0', false],
    ['python-requests/2.32', false],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0 Safari/537.36', false],
    ['', false],
  ])('a view by the user agent %j can count: %s', async (agent, counts) => {
    const reel = await publishedReel(db, await person(), now, zone);
    const answer = await server.inject({
      method: 'POST',
      url: `/api/reel/increaseView/${reel}`,
      headers: { 'user-agent': agent },
    });
    expect(answer.json()).toMatchObject({ views: 1, lease: counts ? expect.any(String) : null });
  });

  it.each([
    ['2026-12-31T18:29:59.999Z', '2026-12: 1 reels 1 views'],
    ['2026-12-31T18:30:00.000Z', '2026-12: 1 reels, 2027-01: 1 views'],
  ])('at %s, when a year ends in India: %s', async (moment, months) => {
    const creator = await person();
    const reel = await publishedReel(db, creator, new Date('2026-12-30T12:00:00Z'), zone);
    await see(reel, 'a', new Date(moment));
    expect(await reported(creator)).toBe(months);
  });
});

describe('likes and deletions', () => {
  const thisMonth = now;
  const nextMonth = new Date('2026-12-05T06:30:00Z');
  const withFiles = (at: Date) => ({ ...contextAt(db, at, zone), storage });
  const post = async (creator: string, at = thisMonth, file = newKey()) => {
    const fileName = await uploadedPhoto(db, creator, at, file);
    const form = { fileName, caption: '', description: '' };
    return (await publishPost(contextAt(db, at, zone), creator, form)).id;
  };
  type Act = 'like' | 'unlike' | 'own like' | 'delete';

  it.each<[what: string, acts: [Act, Date][], months: string]>([
    ['a like', [['like', thisMonth]], '2026-11: 1 posts 1 likes'],
    ["one's own", [['own like', thisMonth]], '2026-11: 1 posts'],
    [
      'twice',
      [
        ['like', thisMonth],
        ['like', thisMonth],
      ],
      '2026-11: 1 posts 1 likes',
    ],
    [
      'undone in the month',
      [
        ['like', thisMonth],
        ['unlike', thisMonth],
      ],
      '2026-11: 1 posts',
    ],
    [
      'undone twice',
      [
        ['like', thisMonth],
        ['unlike', thisMonth],
        ['unlike', thisMonth],
      ],
      '2026-11: 1 posts',
    ],
    [
      'undone in the month and set again: once, not twice',
      [
        ['like', thisMonth],
        ['unlike', thisMonth],
        ['like', thisMonth],
        ['unlike', thisMonth],
        ['like', thisMonth],
      ],
      '2026-11: 1 posts 1 likes',
    ],
    [
      'undone when its month is over: it stays',
      [
        ['like', thisMonth],
        ['unlike', nextMonth],
      ],
      '2026-11: 1 posts 1 likes',
    ],
    [
      'undone when its month is over and set again: it has counted',
      [
        ['like', thisMonth],
        ['unlike', nextMonth],
        ['like', nextMonth],
      ],
      '2026-11: 1 posts 1 likes',
    ],
    [
      'taken back, and set again in another month: it counts there',
      [
        ['like', thisMonth],
        ['unlike', thisMonth],
        ['like', nextMonth],
      ],
      '2026-11: 1 posts, 2026-12: 1 likes',
    ],
    [
      'deleted in its month: the post and its likes go',
      [
        ['like', thisMonth],
        ['delete', thisMonth],
      ],
      '',
    ],
    [
      'deleted with a like that was undone before',
      [
        ['like', thisMonth],
        ['unlike', thisMonth],
        ['delete', thisMonth],
      ],
      '',
    ],
    [
      'deleted in a later month: nothing moves',
      [
        ['like', thisMonth],
        ['delete', nextMonth],
      ],
      '2026-11: 1 posts 1 likes',
    ],
    [
      'deleted twice',
      [
        ['delete', thisMonth],
        ['delete', thisMonth],
      ],
      '',
    ],
  ])('%s', async (_what, acts, months) => {
    const [creator, fan] = [await person(), await person()];
    const id = await post(creator);
    for (const [act, at] of acts) {
      if (act === 'like') await likePost(contextAt(db, at, zone), id, fan);
      if (act === 'own like') await likePost(contextAt(db, at, zone), id, creator);
      if (act === 'unlike') await unlikePost(contextAt(db, at, zone), id, fan);
      if (act === 'delete') await deletePost(withFiles(at), id, creator);
    }
    expect(await reported(creator)).toBe(months);
  });

  it('a copy of a photo earns nothing, and neither do its likes', async () => {
    const [first, second, fan] = [await person(), await person(), await person()];
    const file = newKey();
    await post(first, thisMonth, file);
    await likePost(contextAt(db, thisMonth, zone), await post(second, thisMonth, file), fan);
    expect(await reported(second)).toBe('');
  });

  it('the same file published again after its deletion still earns nothing', async () => {
    const creator = await person();
    const file = newKey();
    await deletePost(withFiles(thisMonth), await post(creator, thisMonth, file), creator);
    await post(creator, thisMonth, file);
    expect(await reported(creator)).toBe('');
  });

  it.each([
    [thisMonth, ''],
    [nextMonth, '2026-11: 1 reels 1 views'],
  ])('a reel of this month, deleted %s, leaves %j', async (at, months) => {
    const creator = await person();
    const reel = await publishedReel(db, creator, thisMonth, zone);
    await watchedAt(reel, { at: thisMonth });
    await deleteReel(withFiles(at), reel, creator);
    expect(await reported(creator)).toBe(months);
  });

  it("a deleted reel of last month keeps this month's views", async () => {
    const creator = await person();
    const reel = await publishedReel(db, creator, thisMonth, zone);
    await watchedAt(reel, { at: nextMonth });
    await deleteReel(withFiles(nextMonth), reel, creator);
    expect(await reported(creator)).toBe('2026-11: 1 reels, 2026-12: 1 views');
  });

  it.each([
    [thisMonth, ''],
    [nextMonth, '2026-11: 1 stories'],
  ])('a story of this month, deleted %s, leaves %j', async (at, months) => {
    const creator = await person();
    const fileName = await uploadedPhoto(db, creator, thisMonth);
    const form = { fileName, statusText: '' };
    const { id } = await publishStory(contextAt(db, thisMonth, zone), creator, form);
    await deleteStory(withFiles(at), id, creator);
    expect(await reported(creator)).toBe(months);
  });
});
