import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import { waitsForReview } from '../copies/waiting.ts';
import { lockReelAndViews, setOwn } from './reels.queries.ts';
import { restoreReel } from './take-down.ts';

/** The same as `takeForOwn` for a reel. It waits for watched views that are being recorded. */
export async function takeReelForOwn(trx: Transaction<Tables>, id: string, now: Date): Promise<boolean> {
  const reel = await lockReelAndViews(trx, id);
  if (!reel || reel.deleted_at) throw notFound('reel');
  if (reel.taken_down_reason === waitsForReview) await restoreReel(trx, id, now);
  if (reel.duplicate) await setOwn(trx, id);
  return reel.duplicate;
}
