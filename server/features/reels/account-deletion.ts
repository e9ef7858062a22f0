import type { Transaction } from 'kysely';
import { type Moment, monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { subtractFromCategories } from '../categories/categories.ts';
import type { MonthChange } from '../month-counts/months.ts';
import { countsSince } from '../month-counts/publication-month.ts';
import { removeFromIndex } from '../search-index/search-index.ts';
import { countedViews } from '../views/views.ts';
import * as queries from './account-deletion.queries.ts';
import { deleteCaptionsOf } from './captions.queries.ts';
import { isPublic } from './show.ts';

/** Locks every reel that the deletion of an account changes, in the same order of ids as views and likes. */
export const holdReels = queries.lockTouched;

/**
 * Deletes a person's reels, likes, comments and shares and updates the counts of others and of categories. The data
 * from which earnings are derived stay. Returns what is subtracted from the person's month, as if each reel was deleted
 * separately, and the keys of the files.
 */
export async function forgetReels(
  trx: Transaction<Tables>,
  personId: string,
  { now, timeZone }: Moment,
): Promise<{ lost: Pick<MonthChange, 'reels' | 'views'> }> {
  for (const table of ['reel_likes', 'reel_comments', 'reel_shares'] as const)
    await queries.deleteAllOf(trx, table, personId);
  const reels = await queries.listStanding(trx, personId);
  const ids = reels.map(({ id }) => id);
  await deleteCaptionsOf(trx, personId, ids);
  await queries.emptyReels(trx, personId, now);
  await removeFromIndex(trx, ids);

  const counts = new Map<string, number>();
  for (const category of reels.filter(isPublic).flatMap((reel) => reel.categories))
    counts.set(category, (counts.get(category) ?? 0) + 1);
  await subtractFromCategories(trx, counts);

  const month = monthOf(now, timeZone);
  const ofThisMonth = reels.filter((reel) => countsSince(month, reel, timeZone));
  const reelIds = ofThisMonth.map(({ id }) => id);
  const views = await countedViews(trx, { creatorId: personId, reelIds }, month);
  return { lost: { reels: ofThisMonth.filter(({ unpaid }) => !unpaid).length, views } };
}
