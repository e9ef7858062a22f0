import { searchedKinds } from '#contract/search.ts';
import type { Context } from '#server/platform/context.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import * as queries from './ranking.queries.ts';

export const rankingJob: JobKind<object> = { name: 'search-ranking', retries: 0, seconds: 20 * 60 };

/** As many entries of a kind are searched before all others: as many as a small site has. */
const topAtMost = 10_000;

/** Counts again by what the results of a search are ordered: watched views, followers, works. */
export async function rankResults({ db }: Context<'db'>): Promise<void> {
  await queries.countPopularity(db);
  for (const kind of searchedKinds) await queries.chooseTop(db, kind, topAtMost);
}
