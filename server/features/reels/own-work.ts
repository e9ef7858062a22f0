import type { Transaction } from 'kysely';
import { type Moment, monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import { waitsForReview } from '../copies/waiting.ts';
import { addToMonths } from '../earnings/months.ts';
import { lockReel, setOwn } from './reels.queries.ts';
import { restoreReel } from './take-down.ts';

/**
 * Counts a reel that was wrongly taken for a copy: from now on, with its watched views from now on. One that waited for a review becomes
 * public. Part of the transaction of the decision.
 */
export async function countReelAsOwn(
  trx: Transaction<Tables>,
  id: string,
  { now, timeZone }: Moment,
): Promise<void> {
  const reel = await lockReel(trx, id);
  if (!reel || reel.deleted_at) throw notFound('This reel was not found.');
  if (reel.taken_down_reason === waitsForReview) await restoreReel(trx, id, now);
  if (!reel.duplicate) return;
  await setOwn(trx, id, now);
  const month = monthOf(now, timeZone);
  if (!reel.unpaid) await addToMonths(trx, [{ creatorId: reel.creator_id, month, reels: 1 }]);
}
