import type { Transaction } from 'kysely';
import { dayOf, type Moment } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import { waitsForReview } from '../copies/waiting.ts';
import { addToMonths } from '../earnings/months.ts';
import { countViewsOfCopy } from '../views/views.ts';
import { lockReelAndViews, setOwn } from './reels.queries.ts';
import { restoreReel } from './take-down.ts';

/**
 * Counts a reel that was wrongly taken for a copy: from now on, with its watched views until now. One that waited for a review becomes
 * public. Part of the transaction of the decision.
 */
export async function countReelAsOwn(
  trx: Transaction<Tables>,
  id: string,
  { now, timeZone }: Moment,
): Promise<void> {
  const reel = await lockReelAndViews(trx, id);
  if (!reel || reel.deleted_at) throw notFound('This reel was not found.');
  if (reel.taken_down_reason === waitsForReview) await restoreReel(trx, id, now);
  if (!reel.duplicate) return;
  await setOwn(trx, id, now);
  const today = dayOf(now, timeZone);
  const month = today.slice(0, 7);
  const creatorId = reel.creator_id;
  const views = await countViewsOfCopy(trx, { creatorId, reelId: id }, today);
  if (!reel.unpaid || views > 0)
    await addToMonths(trx, [{ creatorId, month, reels: reel.unpaid ? 0 : 1, views }]);
}
