import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FoundMark } from '#contract/operators.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn } from '#testing/context.ts';
import { findOwn, personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { reopenMonths, showAndWatch } from '#testing/fixtures/watching.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { addToMonths } from '../month-counts/months.ts';
import { likePost, unlikePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { viewerOfPerson } from '../views/viewers.ts';
import { listWithdrawals } from '../withdrawals/review.ts';
import { withdraw } from '../withdrawals/withdrawals.ts';
import { closeMonths } from './closing.ts';
import { marksOf } from './marks.ts';
import { deleteSingleViews } from './single-view-deletion.ts';

const zone = 'Asia/Kolkata';
const minute = 60_000;
const month = '2026-11';
const at = (date: string) => new Date(`${date}T12:00:00+05:30`);
const longAgo = at('2026-09-01');

let db: Kysely<Tables>;
let now: Date;
let creator: string;
beforeAll(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  return async () => {
    await db.destroy();
    await database.drop();
  };
});
beforeEach(async () => {
  await reopenMonths(db);
  now = at('2026-11-02');
  creator = await personIn(db, longAgo);
});
const context = () => contextOn(db, { clock: () => now });

/** The marks of the creator's month, after its closing. */
async function marks(): Promise<FoundMark[]> {
  now = at('2026-12-01');
  await closeMonths(context());
  const { marks } = await db
    .selectFrom('month_results')
    .select('marks')
    .where('creator_id', '=', creator)
    .where('month', '=', month)
    .executeTakeFirstOrThrow();
  return marks;
}

async function reelsOf(creatorId: string, many: number, on = longAgo): Promise<string[]> {
  const reels: string[] = [];
  while (reels.length < many) reels.push(await publishedReel(db, creatorId, on, zone));
  return reels;
}

interface Watching {
  viewer: Buffer;
  network: string;
  reel: string;
  personId?: string;
  day?: number;
}

/** Watches each of these, in their order; each viewer once in a minute. */
async function watch(watched: readonly Watching[]): Promise<void> {
  const turns = new Map<string, number>();
  const views = watched.map(({ viewer, network, reel: reelId, personId, day = 5 }) => {
    const turn = (turns.get(viewer.toString('hex')) ?? 0) + 1;
    turns.set(viewer.toString('hex'), turn);
    const reportedAt = new Date(at(`2026-11-${String(day).padStart(2, '0')}`).getTime() + turn * minute);
    return {
      ...{
        reelId,
        viewer,
        personId,
        address: Buffer.from(network.slice(-8).padEnd(8)),
        signedIn: personId !== undefined,
      },
      ...{ issuedAt: new Date(reportedAt.getTime() - minute / 2), at: reportedAt, neededMs: 4000 },
    };
  });
  await showAndWatch(context(), views);
}

/** So many new browsers, each of which watches these reels once; `networkOf` returns the network of each. */
function browsers(
  many: number,
  reels: readonly string[],
  networkOf = (place: number) => `n${place}`,
): Watching[] {
  const all = Array.from({ length: many }, (_, place) => ({
    viewer: randomBytes(16),
    network: networkOf(place),
  }));
  return all.flatMap((one) => reels.map((reel) => ({ ...one, reel })));
}

/** Accounts of these days that are established, since each watches the creator and four others. */
async function accounts(joined: readonly Date[]): Promise<void> {
  const reels = await reelsOf(creator, 1);
  while (reels.length < 5) reels.push(...(await reelsOf(await personIn(db, longAgo), 1)));
  for (const on of joined) {
    const personId = await personIn(db, on);
    const viewer = viewerOfPerson(context().keyring.secret('viewers'), personId);
    for (const day of [10, 11, 12])
      await watch(reels.map((reel) => ({ viewer, personId, network: personId, reel, day })));
  }
}
const daysFrom = (date: string, many: number) =>
  Array.from({ length: many }, (_, place) => new Date(at(date).getTime() - place * 24 * 60 * minute));

async function photo(): Promise<string> {
  const fileName = await uploadedPhoto(db, creator, now);
  return (await publishPost(context(), creator, { fileName, caption: '', description: '' })).id;
}

describe('a month is marked', () => {
  it('if five viewers have half of its watched views, also those of reels that were wrongly taken for copies', async () => {
    const reels = await reelsOf(creator, 40);
    await db
      .updateTable('reels')
      .set({ duplicate: true })
      .where('id', '=', reels[0] ?? '')
      .execute();
    await watch([...browsers(5, reels), ...browsers(200, reels.slice(0, 1))]);
    await findOwn(context(), reels[0] ?? '');
    expect(await marks()).toEqual([{ mark: 'few_viewers', found: 200, of: 400 }]);
  });

  it('by the views that have a viewer, if there are others that are only counted', async () => {
    await watch(browsers(5, await reelsOf(creator, 40)));
    await db.transaction().execute((trx) => addToMonths(trx, [{ creatorId: creator, month, views: 900 }]));
    expect(await marks()).toContainEqual({ mark: 'few_viewers', found: 200, of: 200 });
  });

  it('if five networks have four fifths of its watched views', async () => {
    const [reel = ''] = await reelsOf(creator, 1);
    await watch(browsers(250, [reel], (place) => (place < 200 ? `five ${place % 5}` : `n${place}`)));
    expect(await marks()).toEqual([{ mark: 'few_networks', found: 200, of: 250 }]);
  });

  it('if four fifths of the established accounts that watched its creator were created on one day', async () => {
    // On the day of India, not of Greenwich.
    const midnight = new Date('2026-10-05T00:00:00+05:30').getTime();
    const ofOneDay = [0, 1, 2, 3, 4, 5, 6, 7, 8, 23].map((hour) => new Date(midnight + hour * 60 * minute));
    await accounts([...ofOneDay, ...daysFrom('2026-09-20', 2)]);
    expect(await marks()).toEqual([{ mark: 'accounts_of_one_day', found: 10, of: 12 }]);
  });

  it('if five accounts gave most of its likes, also if these are taken back after the month', async () => {
    const [first = '', ...family] = await Promise.all(
      daysFrom('2026-09-20', 5).map((on) => personIn(db, on)),
    );
    let liked = '';
    for (let made = 0; made < 40; made += 1) {
      liked = await photo();
      for (const id of [first, ...family]) await likePost(context(), liked, id);
    }
    for (const on of daysFrom('2026-09-20', 10)) await likePost(context(), liked, await personIn(db, on));
    now = new Date('2026-12-01T00:01:00+05:30');
    await unlikePost(context(), liked, first);
    expect(await marks()).toEqual([{ mark: 'few_likers', found: 200, of: 210 }]);
  });

  it('not below the shares or the least numbers', () => {
    const none = {
      few_viewers: { found: 199, of: 199 },
      few_networks: { found: 239, of: 300 },
      accounts_of_one_day: { found: 9, of: 9 },
      few_likers: { found: 200, of: 401 },
    };
    expect(marksOf(none)).toEqual([]);
    expect(marksOf({})).toEqual([]);
  });
});

describe('marks', () => {
  it('are listed with their evidence beside withdrawals, do not change what is paid, and stay when the single views are deleted', async () => {
    // A month of 340 coins that is paid with the next one: five of the accounts watched it.
    await addPublications('2026-11');
    await accounts(daysFrom('2026-10-05', 1).concat(Array(11).fill(at('2026-10-07'))));
    const found = await marks();
    expect(found).toEqual([{ mark: 'accounts_of_one_day', found: 11, of: 12 }]);
    await addPublications('2026-12');
    now = at('2027-03-05');
    await closeMonths(context());
    await deleteSingleViews(context());
    expect((await sql`select 1 from views`.execute(db)).rows).toEqual([]);
    expect(await marks()).toEqual(found);
    now = at('2027-03-05');
    await withdraw(context(), creator, { userId: creator, month: '2026-12', totalRupee: '1.36' });
    const { data } = await listWithdrawals(context(), { limit: 10 });
    expect(data[0]?.marks).toContain('accounts_of_one_day');
    expect(data[0]?.evidence).toEqual([{ ...found[0], month }]);
  });
});

/** What 50 reels, 30 photos and 30 stories count. */
async function addPublications(of: string): Promise<void> {
  await db
    .transaction()
    .execute((trx) =>
      addToMonths(trx, [{ creatorId: creator, month: of, reels: 50, posts: 30, stories: 30 }]),
    );
}
