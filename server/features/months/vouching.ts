import type { MonthCounts } from '#contract/rates.ts';
import type { Context } from '#server/platform/context.ts';
import { sumOfActive } from '../views/established.ts';
import { type Result, resultOf } from './results.ts';
import * as queries from './vouching.queries.ts';

export { likesByAccounts } from './vouching.queries.ts';

/**
 * What a month pays that is not closed yet, if it was closed now and all accounts that watched enough were old enough and verified
 * (docs/decisions/0057-established-accounts.md).
 */
export async function estimateResult(
  { db, config }: Context<'db' | 'config'>,
  { creatorId, month, counts }: { creatorId: string; month: string; counts: MonthCounts },
): Promise<Result> {
  const which = { creatorId, month };
  const shares = await sumOfActive(db, which, await queries.limitsOf(db, month));
  const of = { month, timeZone: config.timeZone };
  const likes = await queries.likesByAccounts(db, 'active_people', [creatorId], of);
  return resultOf({ ...counts, ...shares }, likes.get(creatorId));
}
