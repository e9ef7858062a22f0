import { type Kysely, sql } from 'kysely';
import { rankReels } from '#contract/taste.ts';
import { countTopReels, learnNextReels } from '#server/features/taste/learning.ts';
import { rank } from '#server/features/taste/rank.ts';
import { saveWatched, switchTaste } from '#server/features/taste/taste.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextAt } from '#testing/context.ts';
import { ago, countedOn, now, people, reels, watchedInOrder } from '#testing/fixtures/taste.ts';
import { percent, type Row, times } from '../harness.ts';
import { byEase } from './ease.ts';
import type { Sites } from './own-sites.ts';
import { byPopularity, ndcg, readRatings, type Split, withoutLast } from './ratings.ts';

/** The order alone: without turns, fair share and chance. */
const orderAlone = { fairShare: 0, hasTurns: false, jitter: 0, random: () => 0.5 };
const target = { ndcg: 0.105, ofEase: 0.95 };

/** How well the order guesses what people watched next, beside popularity and EASE. */
export async function films(path: string, sites: Sites, say: (line: string) => void): Promise<Row[]> {
  const ratings = readRatings(path);
  const measured: Record<'ours' | 'ease' | 'popularity', number>[] = [];
  for (const leftOut of [1, 2, 3, 4]) {
    const split = withoutLast(ratings, leftOut);
    const ours = ndcg(split, await sites.site(`films_${leftOut}`, (db) => byTaste(db, split)));
    const [popularity, ease] = [ndcg(split, byPopularity(split)), ndcg(split, byEase(split))];
    say(
      `  ${leftOut} left out: ours ${ours.toFixed(4)}, EASE ${ease.toFixed(4)}, popularity ${popularity.toFixed(4)}`,
    );
    measured.push({ ours, ease, popularity });
  }
  return [rowOf('test', measured.slice(0, 1)), rowOf('mean of three validation splits', measured.slice(1))];
}

function rowOf(name: string, measured: readonly Record<'ours' | 'ease' | 'popularity', number>[]): Row {
  const mean = (of: 'ours' | 'ease' | 'popularity') =>
    measured.reduce((sum, one) => sum + one[of], 0) / measured.length;
  const [ours, ease] = [mean('ours'), mean('ease')];
  const isTest = name === 'test';
  return {
    what: `NDCG@10 of what people watched next, MovieLens 100K, ${name}`,
    ours: ours.toFixed(4),
    against: `${ease.toFixed(4)} EASE, ${mean('popularity').toFixed(4)} popularity`,
    ratio: times(ours / ease),
    reach: isTest ? `≥ ${target.ndcg}, ≥ ${percent(target.ofEase)} of EASE` : '',
    ...(isTest ? { holds: ours >= target.ndcg && ours >= target.ofEase * ease } : {}),
  };
}

/** The product's own tables, job, queries and function: everybody is an adult who switched their taste on. */
async function byTaste(db: Kysely<Tables>, { known, works }: Split): Promise<number[][]> {
  const creators = await people(db, works);
  const ids = await inParts(
    creators.map((creator_id) => ({ creator_id, at: ago(100) })),
    (part) => reels(db, part),
  );
  const viewers = await people(db, known.length);
  const context = contextAt(db, now);
  for (const [person, watched] of known.entries()) {
    const viewer = viewers[person] ?? '';
    const own = watched.map((work) => ids[work] ?? '');
    await watchedInOrder(db, [viewer], own, ago(1));
    await switchTaste(context, viewer, { on: true, adult: true });
    const newestFirst = own.toReversed().map((_id) => ({ _id, toEnd: true }));
    await saveWatched(contextAt(db, ago(1)), viewer, newestFirst);
  }
  const counts = Map.groupBy(known.flat(), (work) => work);
  for (const [work, views] of counts) await countedOn(db, ago(1), ids[work] ?? '', views.length);
  await sql`analyze`.execute(db);
  await learnNextReels(context);
  await countTopReels(context);
  await sql`analyze`.execute(db);
  const numbers = new Map(ids.map((id, work) => [id, work]));
  const lists: number[][] = [];
  for (const viewer of viewers) {
    const list = await rank(context, viewer, rankReels.body.parse({}), orderAlone);
    lists.push(list.map(({ _id }) => numbers.get(_id) ?? -1));
  }
  return lists;
}

/** Inserts take a limited number of values. */
async function inParts<One, Made>(all: readonly One[], make: (part: One[]) => Promise<Made[]>) {
  const made: Made[] = [];
  for (let from = 0; from < all.length; from += 1000)
    made.push(...(await make(all.slice(from, from + 1000))));
  return made;
}
