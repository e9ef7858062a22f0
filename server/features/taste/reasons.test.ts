import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categories } from '#contract/categories.ts';
import type { RankReason, WatchedReel } from '#contract/taste.ts';
import { randomOf } from '#demo/random.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextAt } from '#testing/context.ts';
import { ago, countedOn, now, people, ranked, reels, watchedInOrder } from '#testing/fixtures/taste.ts';
import { openTasteSite, type TasteSite } from '#testing/fixtures/taste-site.ts';
import { countTopReels, learnNextReels } from './learning.ts';
import { saveWatched, switchTaste } from './taste.ts';

/* A random site on which people watch, follow and publish: the reason of every reel in many lists is derived again from what happened. */

interface Viewer {
  id: string | undefined;
  watched: WatchedReel[];
  visit: WatchedReel[];
}
interface Work {
  id: string;
  creator: string;
  categories: string[];
  /** Days ago. */
  age: number;
  views: number;
  counted: number;
}

const random = randomOf(38);
const below = (bound: number) => Math.floor(random() * bound);
const some = <T>(all: readonly T[], many: number) =>
  all
    .map((one) => ({ one, place: random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, many)
    .map(({ one }) => one);
const topics = categories.slice(0, 12).map(({ id }) => id);

let site: TasteSite;
let db: Kysely<Tables>;
const works: Work[] = [];
const viewers: Viewer[] = [];
const sequences: string[][] = [];
const follows = new Set<string>();

beforeAll(async () => {
  site = await openTasteSite();
  db = site.db;
  const creators = await people(db, 40);
  for (let n = 0; n < 300; n += 1) {
    const age = n < 60 ? random() : 1 + random() * 30;
    const counted = n % 5 === 0 ? 1 + below(500) : 0;
    works.push({
      ...{ id: '', creator: creators[below(40)] ?? '', categories: some(topics, below(3)), age, counted },
      views: age < 1 ? below(200) : 1000,
    });
  }
  const ids = await reels(
    db,
    works.map(({ creator, categories, age, views }, n) => {
      return { creator_id: creator, at: ago(age), categories, views, caption: `Work ${n}` };
    }),
  );
  for (const [place, work] of works.entries()) {
    work.id = ids[place] ?? '';
    if (work.counted > 0) await countedOn(db, ago(1 + below(5)), work.id, work.counted);
  }
  // Groups of people who watch the same ones in a row.
  for (let group = 0; group < 30; group += 1) {
    const sequence = some(ids, 6);
    sequences.push(sequence);
    await watchedInOrder(db, await people(db, 6), sequence, ago(2));
  }
  await learnNextReels(contextAt(db, now));
  await countTopReels(contextAt(db, now));
  for (const id of [...(await people(db, 20)), undefined, undefined, undefined]) {
    const seen = some(ids, below(40)).map((_id) => ({ _id, toEnd: random() < 0.7 }));
    const keeps = id !== undefined && random() < 0.7;
    viewers.push({ id, watched: keeps ? seen : [], visit: keeps ? [] : seen });
    if (id === undefined) continue;
    const context = contextAt(db, ago(1));
    if (keeps) await switchTaste(context, id, { on: true, adult: true });
    for (let from = 0; from < seen.length && keeps; from += 20)
      await saveWatched(contextAt(db, ago(20 - from / 100)), id, seen.slice(from, from + 20));
    for (const followed of some(creators, below(6))) {
      follows.add(`${id} ${followed}`);
      await db
        .insertInto('follows')
        .values({ follower_id: id, followee_id: followed, followed_at: now })
        .execute();
    }
  }
});
afterAll(() => site.close());

/** Why a reason is not true, by the events alone; undefined if it is. */
async function isFalse(
  why: RankReason,
  work: Work,
  { id, watched, visit }: Viewer,
): Promise<string | undefined> {
  const history = new Set([...watched, ...visit].filter(({ toEnd }) => toEnd).map(({ _id }) => _id));
  const past = works.filter((one) => history.has(one.id));
  switch (why.code) {
    case 'watched': {
      const inARow = sequences.filter((one) => one.includes(why.reelId) && one.includes(work.id)).length * 6;
      const cause = past.find((one) => one.id === why.reelId);
      if (!cause || inARow < 5) return 'nobody watched the two in a row, or this person not the first one';
      return `Work ${works.indexOf(cause)}` === why.caption ? undefined : 'another caption';
    }
    case 'category':
      return work.categories.includes(why.category) &&
        past.some((one) => one.categories.includes(why.category))
        ? undefined
        : 'nothing of this category was watched to the end';
    case 'followed': {
      const { rows } = await sql<{
        username: string;
      }>`select username from people where id = ${work.creator}`.execute(db);
      return follows.has(`${id} ${work.creator}`) && rows[0]?.username === why.username
        ? undefined
        : 'not followed';
    }
    case 'new':
      return work.age < 1 && work.views < 100 ? undefined : 'neither new nor unseen';
    case 'popular': {
      const better = works.filter(({ counted }) => counted > work.counted).length;
      return work.counted > 0 && better < 150 ? undefined : 'not watched in seven days';
    }
    default:
      return undefined;
  }
}

describe('the reason of every reel', () => {
  it('is true of the person or the visit that asked', async () => {
    const told = new Map<string, number>();
    const wrong: string[] = [];
    for (const viewer of viewers)
      for (let seed = 0; seed < 3; seed += 1) {
        const list = await ranked(db, viewer.id, { visit: viewer.visit }, { seed });
        expect(list.length).toBeGreaterThan(60);
        for (const { _id, why } of list) {
          const work = works.find(({ id }) => id === _id);
          if (!work) throw new Error('an unknown reel');
          told.set(why.code, (told.get(why.code) ?? 0) + 1);
          const fault = await isFalse(why, work, viewer);
          if (fault) wrong.push(`${why.code}: ${fault}`);
        }
      }
    expect(wrong).toEqual([]);
    expect([...told.keys()].sort()).toEqual(['category', 'followed', 'new', 'newest', 'popular', 'watched']);
  });

  it('is never a reel that was seen in the last 30 days [long]', async () => {
    for (const viewer of viewers) {
      const seen = new Set([...viewer.watched, ...viewer.visit].map(({ _id }) => _id));
      const list = await ranked(db, viewer.id, { visit: viewer.visit });
      expect(list.filter(({ _id }) => seen.has(_id))).toEqual([]);
    }
  });
});
