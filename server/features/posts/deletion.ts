import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { takeFromMonth } from '../earnings/months.ts';
import { dropFiles } from '../media/stored-files.ts';
import { keysOf } from '../media/urls.ts';
import { forgetAbout } from '../notifications/notifications.ts';
import * as queries from './posts.queries.ts';

/**
 * Deletes one's own post and its files. Deleted in the month it was published it takes its coins along, those of its
 * likes too; a past month never changes (decisions §4). A second time it is still deleted, and the answer false.
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
    await forgetAbout(trx, postId);
    // Taken down it is counted nowhere, but what it brought this month still stands.
    if (!row.taken_down_at) await queries.addToPostCount(trx, callerId, -1);
    const month = monthOf(now, timeZone);
    if (!row.duplicate && monthOf(row.published_at, timeZone) === month) {
      // Published this month, so that every like of it is this month's.
      const likes = await queries.countLikes(trx, postId, callerId);
      await takeFromMonth(trx, { creatorId: callerId, month, posts: 1, likes });
    }
    return row;
  });
  // What a crash leaves here is swept.
  for (const key of keysOf(post)) await storage.remove(key);
  return !post.deleted_at;
}
