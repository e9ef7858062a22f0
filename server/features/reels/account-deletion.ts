import type { Transaction } from 'kysely';
import { type Moment, monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { takeFromCategories } from '../categories/categories.ts';
import type { MonthChange } from '../earnings/months.ts';
import { countedViewsOf } from '../views/views.ts';
import * as queries from './account-deletion.queries.ts';
import { deleteCaptionsOfCreator } from './captions.queries.ts';
import { isPublic } from './show.ts';

/** Takes every reel that a person's departure touches, in the one order of ids that views and likes use. */
export const holdReels = queries.lockTouched;

/**
 * Takes a departing person's reels, likes, comments and shares away: others' counts and the categories' are exact afterwards, and
 * of the reels stays what earnings are derived from. Returns what their month loses, as single deletions would have
 * taken it, and the keys of their files.
 */
export async function forgetReels(
  trx: Transaction<Tables>,
  personId: string,
  { now, timeZone }: Moment,
): Promise<{ lost: Pick<MonthChange, 'reels' | 'views'> }> {
  await queries.deleteLikes(trx, personId);
  await queries.deleteComments(trx, personId);
  await queries.deleteShares(trx, personId);
  const reels = await queries.listStanding(trx, personId);
  await deleteCaptionsOfCreator(trx, personId);
  await queries.emptyReels(trx, personId, now);

  const counts = new Map<string, number>();
  for (const category of reels.filter(isPublic).flatMap((reel) => reel.categories))
    counts.set(category, (counts.get(category) ?? 0) + 1);
  await takeFromCategories(trx, counts);

  const month = monthOf(now, timeZone);
  const ofThisMonth = reels.filter(
    (reel) => reel.published_at && !reel.duplicate && monthOf(reel.published_at, timeZone) === month,
  );
  const views = await countedViewsOf(
    trx,
    ofThisMonth.map(({ id }) => id),
    month,
  );
  return { lost: { reels: ofThisMonth.length, views } };
}
