import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { takeFromMonth } from '../earnings/months.ts';
import { dropFiles } from '../media/stored-files.ts';
import { forgetAbout } from '../notifications/notifications.ts';
import { countedViews } from '../views/views.ts';
import { deleteCaptionsOfReel } from './captions.queries.ts';
import { filesOf } from './files.ts';
import { countPublic } from './public-count.ts';
import * as queries from './reels.queries.ts';

/**
 * Deletes one's own reel and its files. Deleted in the month it was published it takes its coins along; a past month
 * never changes (decisions §4). A second time it is still deleted, and the answer false.
 */
export async function deleteReel(
  { db, storage, clock, config }: Context<'db' | 'storage' | 'clock' | 'config'>,
  reelId: string,
  callerId: string,
): Promise<boolean> {
  const now = clock();
  const { timeZone } = config;
  const { reel, files } = await inTransaction(db, async (trx) => {
    const row = await queries.lockReel(trx, reelId);
    if (!row) throw notFound('This reel was not found.');
    if (row.creator_id !== callerId) throw new Refusal('not_yours', 'You can delete only your own reels.');
    const files = await filesOf(trx, row);
    if (row.deleted_at) return { reel: row, files };
    await queries.markDeleted(trx, reelId, now);
    await dropFiles(trx, files, now);
    await deleteCaptionsOfReel(trx, reelId);
    await forgetAbout(trx, reelId);
    if (row.state === 'ready') {
      // Taken down it is counted nowhere, but what it brought this month still stands.
      if (!row.taken_down_at) await countPublic(trx, row, -1);
      const month = monthOf(now, timeZone);
      if (row.published_at && !row.duplicate && monthOf(row.published_at, timeZone) === month) {
        const views = await countedViews(trx, reelId, month);
        await takeFromMonth(trx, { creatorId: row.creator_id, month, reels: 1, views });
      }
    }
    return { reel: row, files };
  });
  // What a crash leaves here is swept.
  await storage.discard(reel.media_key);
  for (const key of files.keys) await storage.remove(key);
  return !reel.deleted_at;
}
