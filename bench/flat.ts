import type { Kysely } from 'kysely';
import { countCategories } from '#server/features/categories/categories.ts';
import { listPeople, showPerson } from '#server/features/people/people.ts';
import { listPosts } from '#server/features/posts-and-stories/posts.ts';
import { listStories } from '#server/features/posts-and-stories/stories.ts';
import { listComments } from '#server/features/reels/engagement.ts';
import { listReels, listReelsOf, showReel } from '#server/features/reels/reels.ts';
import { writeCursor } from '#server/platform/cursor.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn } from '#testing/context.ts';
import { inMilliseconds, type Measurement, median, milliseconds, type Row, times } from './harness.ts';

interface Sample {
  db: Kysely<Tables>;
  /** One of the `watched` reels, which are spread over the whole site: a different one each time, all of them cached. */
  reel(): Reel;
  /** A reel that has not been read before. */
  newReel(): Reel;
}

interface Reel {
  id: string;
  creator_id: string;
  published_at: Date | null;
}

/** Number of reels that are read again and again, like popular ones, at both sizes. */
const watched = 100;

const page = { limit: 24, cursor: undefined };
const from = ({ reel }: Sample) => {
  const { id, published_at } = reel();
  return writeCursor({ at: published_at ?? new Date(), id });
};

/** Every list of the site, and everything with a page of its own, as the rules return it. */
const queries: [what: string, ask: (sample: Sample) => Promise<unknown>][] = [
  ['Feed, first page', ({ db }) => listReels(contextOn(db), page)],
  ['Feed, any page', (sample) => listReels(contextOn(sample.db), { ...page, cursor: from(sample) })],
  ['One reel', ({ db, reel }) => showReel(contextOn(db), reel().id, undefined)],
  ["A reel's comments", ({ db, reel }) => listComments(contextOn(db), reel().id, page)],
  ["A person's reels", ({ db, reel }) => listReelsOf(contextOn(db), reel().creator_id, undefined, page)],
  ["A person's profile", ({ db, reel }) => showPerson(contextOn(db), reel().creator_id)],
  ['Posts, first page', ({ db }) => listPosts(contextOn(db), page)],
  ['Stories, first page', ({ db }) => listStories(contextOn(db), page)],
  ['People, first page', ({ db }) => listPeople(contextOn(db), page)],
  ['People with a common name', ({ db }) => listPeople(contextOn(db), { ...page, q: 'kavya' })],
  ['People by two letters of their name', ({ db }) => listPeople(contextOn(db), { ...page, q: 'ra' })],
  ['People by a word without a match', ({ db }) => listPeople(contextOn(db), { ...page, q: 'zyxwv' })],
  ['Categories with their counts', ({ db }) => countCategories(db)],
];

/**
 * The same for rows that were not read before: PostgreSQL has none of them in its cache, while the small site fits there completely.
 * The difference is due to the machine's memory and disk and not to the rule, so there is no target.
 */
const uncachedQueries: typeof queries = [
  ['One reel, first read', ({ db, newReel }) => showReel(contextOn(db), newReel().id, undefined)],
  ["A person's profile, first read", ({ db, newReel }) => showPerson(contextOn(db), newReel().creator_id)],
];

/** The cost of a list with 1,000,000 reels and 100,000 people, compared with a hundredth of them. */
export const flat: Measurement = {
  name: 'flat',
  async run(bench) {
    const filled = await bench.filled();
    const [small, large] = [await openSample(filled.url('small')), await openSample(filled.url('large'))];
    try {
      const rows: Row[] = [];
      const ofBoth = (what: string, ask: (sample: Sample) => Promise<unknown>) =>
        compare(
          what,
          () => ask(large),
          () => ask(small),
        );
      for (const [what, ask] of queries) rows.push(await ofBoth(what, ask));
      for (const [what, ask] of uncachedQueries) {
        const { holds: _, ...row } = await ofBoth(what, ask);
        rows.push({ ...row, reach: '' });
      }
      return rows;
    } finally {
      await small.db.destroy();
      await large.db.destroy();
    }
  },
};

const rounds = 400;

/** Runs both many times, in turns, and compares the medians of single calls, so that a pause of the machine affects neither. */
async function compare(
  what: string,
  large: () => Promise<unknown>,
  small: () => Promise<unknown>,
): Promise<Row> {
  const taken = { large: [] as number[], small: [] as number[] };
  for (let next = -watched; next < rounds; next += 1) {
    const [ofLarge, ofSmall] = [await milliseconds(large), await milliseconds(small)];
    if (next < 0) continue;
    taken.large.push(ofLarge);
    taken.small.push(ofSmall);
  }
  const [ours, theirs] = [median(taken.large), median(taken.small)];
  return {
    what,
    ours: inMilliseconds(ours),
    against: `${inMilliseconds(theirs)} at 10,000`,
    ratio: times(ours / theirs),
    reach: '≤ 1.2 ×',
    holds: ours / theirs <= 1.2,
  };
}

async function openSample(url: string): Promise<Sample & { db: Kysely<Tables> }> {
  const db = await openDatabase(url, 2);
  const reels = await db
    .selectFrom('reels')
    .select(['id', 'creator_id', 'published_at'])
    .where('media_key', '<', '4000')
    .orderBy('media_key')
    .limit(10_000)
    .execute();
  let [next, fresh] = [0, watched];
  const at = (index: number) => {
    const one = reels[index % reels.length];
    if (!one) throw new Error('there are no reels here');
    return one;
  };
  return {
    db,
    reel() {
      next += 1;
      return at(next % watched);
    },
    newReel() {
      fresh += 1;
      return at(fresh);
    },
  };
}
