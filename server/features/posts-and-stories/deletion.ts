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
import { mediaKeysOf } from '../stored-files/urls.ts';
import { type Kind, lockPhoto, markDeleted } from './photos.queries.ts';
import { addToPostCount, countLikes } from './posts.queries.ts';

type Deleting = Context<'db' | 'storage' | 'clock' | 'config'>;

/**
 * Deletes a post of the caller and its files. In the month of its publication its coins and those of its likes are
 * taken back; past months never change (decisions §4). Returns false if it was deleted before.
 */
export const deletePost = (context: Deleting, id: string, callerId: string) =>
  deletePhoto(context, 'post', id, callerId);

/** The same for a story. */
export const deleteStory = (context: Deleting, id: string, callerId: string) =>
  deletePhoto(context, 'story', id, callerId);

async function deletePhoto(
  { db, storage, clock, config }: Deleting,
  kind: Kind,
  id: string,
  callerId: string,
): Promise<boolean> {
  const now = clock();
  const { timeZone } = config;
  const photo = await inTransaction(db, async (trx) => {
    const row = await ownWork(trx, await lockPhoto(trx, kind, id), callerId, { kind, what: kind });
    if (row.deleted_at) return row;
    await markDeleted(trx, kind, row, now);
    if (kind === 'post') await removeFromIndex(trx, [id]);
    await dropFiles(trx, { ownerId: callerId, keys: mediaKeysOf(row) }, now);
    await compareAnew(trx, { clock, config }, id);
    // A post that was taken down is not counted, but its earnings of this month still are.
    if (kind === 'post' && !row.taken_down_at) await addToPostCount(trx, callerId, -1);
    const month = monthOf(now, timeZone);
    if (countsSince(month, row, timeZone)) {
      // It was published in this month, so all its likes count in it.
      const lost =
        kind === 'post' ? { posts: 1, likes: await countLikes(trx, [id], callerId) } : { stories: 1 };
      await subtractFromMonth(trx, { creatorId: callerId, month, ...lost });
    }
    await deleteNotificationsAbout(trx, id);
    return row;
  });
  // If the process crashes here, the sweeper removes the files.
  for (const key of mediaKeysOf(photo)) await storage.remove(key);
  return !photo.deleted_at;
}
