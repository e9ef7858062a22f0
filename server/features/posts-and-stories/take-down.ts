import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import { isDownAlready, type TakeDown } from '../copies/waiting.ts';
import { deleteNotificationsAbout } from '../notifications/notifications.ts';
import { putInUse, withholdFiles } from '../stored-files/stored-files.ts';
import { mediaKeysOf } from '../stored-files/urls.ts';
import { type Kind, lockPhoto, setTakenDown } from './photos.queries.ts';
import { addToPostCount } from './posts.queries.ts';

/**
 * Hides a post or a story from everybody but its owner, who sees the reason. Returns its files; undefined if it was
 * taken down already, as this or as more. Its earnings do not change. Part of the transaction that logs who did it.
 */
const takeDown =
  (kind: Kind) =>
  async (trx: Transaction<Tables>, id: string, why: TakeDown, now: Date): Promise<string[] | undefined> => {
    const photo = await lock(trx, kind, id);
    const wasHidden = photo.taken_down_at !== null;
    if (isDownAlready(photo, why)) return undefined;
    const keys = mediaKeysOf(photo);
    await setTakenDown(trx, kind, photo, { at: now, ...why });
    if (wasHidden) return keys;
    await withholdFiles(trx, { ownerId: photo.creator_id, keys }, now);
    if (kind === 'post') await addToPostCount(trx, photo.creator_id, -1);
    await deleteNotificationsAbout(trx, id);
    return keys;
  };

/** Makes it public again; false if it is public already. If its owner deleted it, only copies of it can be: those that wait, and new ones. */
const restore =
  (kind: Kind) =>
  async (trx: Transaction<Tables>, id: string, now: Date): Promise<boolean> => {
    const photo = await lock(trx, kind, id);
    if (!photo.taken_down_at) return false;
    await setTakenDown(trx, kind, photo, null);
    if (photo.deleted_at) return true;
    await putInUse(trx, { ownerId: photo.creator_id, keys: mediaKeysOf(photo) }, now);
    if (kind === 'post') await addToPostCount(trx, photo.creator_id, 1);
    return true;
  };

/** Also locks one whose content was taken down and that was deleted: it can be restored. */
async function lock(trx: Transaction<Tables>, kind: Kind, id: string) {
  const photo = await lockPhoto(trx, kind, id);
  if (!photo || (photo.deleted_at && photo.taken_down_as !== 'content')) throw notFound(kind);
  return photo;
}

export const postTakeDown = { takeDown: takeDown('post'), restore: restore('post') };
export const storyTakeDown = { takeDown: takeDown('story'), restore: restore('story') };
