/* What is popular, of each kind: `countPopularity` in ranking.queries.ts. */
import type { Context } from '#server/platform/context.ts';
import type { SearchKind } from '#server/platform/database/tables.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { tierEnds } from '../search-index/tiers.ts';
import * as queries from './ranking.queries.ts';

export const rankingJob: JobKind<object> = {
  name: 'search-ranking',
  retries: 2,
  seconds: 20 * 60,
  isPatient: true,
};

/** So many entries are counted or marked by one statement. */
const batchSize = 1000;

interface Ranking {
  signal?: AbortSignal;
  batch?: number;
  ends?: readonly number[];
}

/**
 * Counts again by what the results of a search are ordered: watched views, followers, works; then puts the entries of each kind into tiers. Tags
 * without works are deleted. What has not changed is not written, so that after an interruption the next ranking soon is where this one was.
 */
export async function rankResults(
  { db }: Context<'db'>,
  { signal, batch = batchSize, ends = tierEnds }: Ranking = {},
): Promise<void> {
  const upper = ends.at(-1) ?? 0;
  const top = new Map<SearchKind, queries.Ranked[]>();
  for (let after: string | undefined = queries.beforeAll; after; ) {
    signal?.throwIfAborted();
    const entries = await queries.countPopularity(db, after, batch);
    const unused = entries.filter(({ kind, popularity }) => kind === 'tag' && popularity === 0);
    await queries.deleteUnusedTags(
      db,
      unused.map(({ id }) => id),
    );
    for (const [kind, ranked] of Map.groupBy(entries, ({ kind }) => kind)) {
      const first = top.get(kind)?.concat(ranked) ?? ranked;
      top.set(kind, first.length < 2 * upper ? first : firstOf(first, upper));
    }
    after = entries.at(-1)?.id;
  }
  const tiers = [...top].map(([kind, ranked]): queries.TierEnds => {
    const first = firstOf(ranked, upper);
    return { kind, ends: ends.map((end) => first[end - 1]) };
  });
  for (let after: string | undefined = queries.beforeAll; after; ) {
    signal?.throwIfAborted();
    after = await queries.putInTiers(db, tiers, after, batch);
  }
}

/** In the order of results. */
function firstOf(entries: queries.Ranked[], most: number): queries.Ranked[] {
  return entries
    .sort((one, other) => other.popularity - one.popularity || (one.id < other.id ? 1 : -1))
    .slice(0, most);
}
