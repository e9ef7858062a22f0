import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { subtractFromMonth } from '../earnings/months.ts';
import { deleteNotificationsAbout } from '../notifications/notifications.ts';
import { dropFiles } from '../stored-files/stored-files.ts';
import { keysOf } from '../stored-files/urls.ts';
import * as queries from './posts.queries.ts';

/**
 * Deletes a post of the caller and its files. In the month of its publication its coins and those of its likes are
 * taken back; past months never change (decisions §4). Returns false if it was deleted before.
 */
export async function deletePost(
  { db, storage, clock, config }: Context<'db' | 'storage' | 'clock' | 'config'>,
  postId: string,
  callerId: string,
): Promise<boolean> {
  const now = clock();
  const { timeZone } = config;
  const post = await inTransaction(db, async (trx) => {
    const row = await queries.lockPost(trx, postId);
    if (!row) throw notFound('This post was not found.');
    if (row.creator_id !== callerId) throw new Refusal('not_yours', 'You can delete only your own posts.');
    if (row.deleted_at) return row;
    await queries.markDeleted(trx, postId, now);
    await dropFiles(trx, { ownerId: callerId, keys: keysOf(row) }, now);
    await deleteNotificationsAbout(trx, postId);
    // Taken down it is counted nowhere, but what it brought this month still stands.
    if (!row.taken_down_at) await queries.addToPostCount(trx, callerId, -1);
    const month = monthOf(now, timeZone);
    if (!row.duplicate && monthOf(row.published_at, timeZone) === month) {
      // It was published this month, so all its likes are from this month.
      const likes = await queries.countLikes(trx, postId, callerId);
      await subtractFromMonth(trx, { creatorId: callerId, month, posts: 1, likes });
    }
    return row;
  });
  // If the process crashes here, the sweeper removes the files.
  for (const key of keysOf(post)) await storage.remove(key);
  return !post.deleted_at;
}
