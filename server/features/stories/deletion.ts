import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { subtractFromMonth } from '../earnings/months.ts';
import { deleteNotificationsAbout } from '../notifications/notifications.ts';
import { dropFiles } from '../stored-files/stored-files.ts';
import { keysOf } from '../stored-files/urls.ts';
import * as queries from './stories.queries.ts';

/**
 * Deletes a story of the caller and its files. In the month of its publication its coin is taken back; past months
 * never change (decisions §4). Returns false if it was deleted before.
 */
export async function deleteStory(
  { db, storage, clock, config }: Context<'db' | 'storage' | 'clock' | 'config'>,
  storyId: string,
  callerId: string,
): Promise<boolean> {
  const now = clock();
  const { timeZone } = config;
  const story = await inTransaction(db, async (trx) => {
    const row = await queries.lockStory(trx, storyId);
    if (!row) throw notFound('This story was not found.');
    if (row.creator_id !== callerId) throw new Refusal('not_yours', 'You can delete only your own stories.');
    if (row.deleted_at) return row;
    await queries.markDeleted(trx, storyId, now);
    await dropFiles(trx, { ownerId: callerId, keys: keysOf(row) }, now);
    await deleteNotificationsAbout(trx, storyId);
    const month = monthOf(now, timeZone);
    if (!row.duplicate && monthOf(row.published_at, timeZone) === month) {
      await subtractFromMonth(trx, { creatorId: callerId, month, stories: 1 });
    }
    return row;
  });
  // If the process crashes here, the sweeper removes the files.
  for (const key of keysOf(story)) await storage.remove(key);
  return !story.deleted_at;
}
