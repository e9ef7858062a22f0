import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { compareAnew } from '../copies/originals.ts';
import { subtractFromMonth } from '../month-counts/months.ts';
import { countsSince } from '../month-counts/publication-month.ts';
import { deleteNotificationsAbout } from '../notifications/notifications.ts';
import { ownWork } from '../people/own-work.ts';
import { removeFromIndex } from '../search-index/search-index.ts';
import { dropFiles } from '../stored-files/stored-files.ts';
import { countedViews } from '../views/views.ts';
import { deleteCaptionsOf } from './captions.queries.ts';
import { filesOf } from './files.ts';
import { countPublic } from './public-count.ts';
import * as queries from './reels.queries.ts';

/**
 * Deletes a reel of the caller and its files. In the month of its publication its coins are taken back; past months
 * never change (decisions §4). Returns false if it was deleted before.
 */
export async function deleteReel(
  { db, storage, clock, config }: Context<'db' | 'storage' | 'clock' | 'config'>,
  reelId: string,
  callerId: string,
): Promise<boolean> {
  const now = clock();
  const { timeZone } = config;
  const month = monthOf(now, timeZone);
  const { reel, files } = await inTransaction(db, async (trx) => {
    const row = await ownWork(trx, await queries.lockReelAndViews(trx, reelId), callerId, {
      kind: 'reel',
      what: 'reel',
    });
    const files = await filesOf(trx, row);
    if (row.deleted_at) return { reel: row, files };
    await queries.markDeleted(trx, row, now);
    await dropFiles(trx, files, now);
    await deleteCaptionsOf(trx, row.creator_id, [reelId]);
    await removeFromIndex(trx, [reelId]);
    await compareAnew(trx, { clock, config }, reelId);
    if (row.state === 'ready') {
      // A reel that was taken down is not counted, but its coins of this month still are.
      if (!row.taken_down_at) await countPublic(trx, row, -1);
      if (countsSince(month, row, timeZone)) {
        const views = await countedViews(trx, { creatorId: row.creator_id, reelIds: [reelId] }, month);
        const reels = row.unpaid ? 0 : 1;
        // A reel that earned nothing may have no month.
        if (reels + views > 0)
          await subtractFromMonth(trx, { creatorId: row.creator_id, month, reels, views });
      }
    }
    await deleteNotificationsAbout(trx, reelId);
    return { reel: row, files };
  });
  // If the process crashes here, the sweeper removes the files.
  await storage.discard(reel.media_key);
  for (const key of files.keys) await storage.remove(key);
  return !reel.deleted_at;
}
