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

interface Place {
  db: Kysely<Tables>;
  /** One of the `watched`, which stand all over the place: another one each time, and none for the first time. */
  reel(): Reel;
  /** One that nobody has asked for before. */
  newReel(): Reel;
}

interface Reel {
  id: string;
  creator_id: string;
  published_at: Date | null;
}

/** So many reels and their creators are asked for over and over, as those of the day are, at either size. */
const watched = 100;

const page = { limit: 24, cursor: undefined };
const from = ({ reel }: Place) => {
  const { id, published_at } = reel();
  return writeCursor({ at: published_at ?? new Date(), id });
};

/** Every list of the site and what stands on a page of its own, as the rules answer it, from row to entity. */
const asked: [what: string, ask: (place: Place) => Promise<unknown>][] = [
  ['Feed, first page', ({ db }) => listReels(contextOn(db), page)],
  ['Feed, any page', (place) => listReels(contextOn(place.db), { ...page, cursor: from(place) })],
  ['One reel', ({ db, reel }) => showReel(contextOn(db), reel().id, undefined)],
  ["A reel's comments", ({ db, reel }) => listComments(contextOn(db), reel().id, page)],
  ["A person's reels", ({ db, reel }) => listReelsOf(contextOn(db), reel().creator_id, undefined, page)],
  ["A person's profile", ({ db, reel }) => showPerson(contextOn(db), reel().creator_id)],
  ['Posts, first page', ({ db }) => listPosts(contextOn(db), page)],
  ['Stories, first page', ({ db }) => listStories(contextOn(db), page)],
  ['People, first page', ({ db }) => listPeople(contextOn(db), page)],
  ['People called by a common name', ({ db }) => listPeople(contextOn(db), { ...page, q: 'kavya' })],
  ['People by two letters of a name', ({ db }) => listPeople(contextOn(db), { ...page, q: 'ra' })],
  ['People by a word that nobody has', ({ db }) => listPeople(contextOn(db), { ...page, q: 'zyxwv' })],
  ['Categories with their counts', ({ db }) => countCategories(db)],
];

/**
 * The same of what nobody looks at: none of it stands in PostgreSQL's memory, and a hundredth of the site stands there whole. What
 * this costs is the machine's memory and disk, not the rule, so no reach is set.
 */
const askedOnce: typeof asked = [
  ['One reel, the first look at it', ({ db, newReel }) => showReel(contextOn(db), newReel().id, undefined)],
  [
    "A person's profile, the first look at it",
    ({ db, newReel }) => showPerson(contextOn(db), newReel().creator_id),
  ],
];

/** What a list costs at 1,000,000 reels and 100,000 people against a hundredth of them. */
export const flat: Measurement = {
  name: 'flat',
  async run(bench) {
    const filled = await bench.filled();
    const [small, large] = [await openPlace(filled.url('small')), await openPlace(filled.url('large'))];
    try {
      const rows: Row[] = [];
      const ofBoth = (what: string, ask: (place: Place) => Promise<unknown>) =>
        compare(
          what,
          () => ask(large),
          () => ask(small),
        );
      for (const [what, ask] of asked) rows.push(await ofBoth(what, ask));
      for (const [what, ask] of askedOnce) {
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

const turns = 400;

/** One after the other, many times: the medians are of single answers, so a pause of the machine is in neither. */
async function compare(
  what: string,
  large: () => Promise<unknown>,
  small: () => Promise<unknown>,
): Promise<Row> {
  const taken = { large: [] as number[], small: [] as number[] };
  for (let turn = -watched; turn < turns; turn += 1) {
    const [ofLarge, ofSmall] = [await milliseconds(large), await milliseconds(small)];
    if (turn < 0) continue;
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

async function openPlace(url: string): Promise<Place & { db: Kysely<Tables> }> {
  const db = await openDatabase(url, 2);
  const reels = await db
    .selectFrom('reels')
    .select(['id', 'creator_id', 'published_at'])
    .where('media_key', '<', '4000')
    .orderBy('media_key')
    .limit(10_000)
    .execute();
  let [turn, fresh] = [0, watched];
  const at = (index: number) => {
    const one = reels[index % reels.length];
    if (!one) throw new Error('there are no reels here');
    return one;
  };
  return {
    db,
    reel() {
      turn += 1;
      return at(turn % watched);
    },
    newReel() {
      fresh += 1;
      return at(fresh);
    },
  };
}
