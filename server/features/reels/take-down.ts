import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import { isDownAlready, type TakeDown } from '../copies/waiting.ts';
import { deleteNotificationsAbout } from '../notifications/notifications.ts';
import { putInUse, withholdFiles } from '../stored-files/stored-files.ts';
import { filesOf } from './files.ts';
import { countPublic } from './public-count.ts';
import * as queries from './reels.queries.ts';

/**
 * Hides a public reel from everybody but its owner, who sees the reason. Returns its files; undefined if it was taken down already, as
 * this or as more. Its earnings do not change. Part of the transaction that logs who did it.
 */
export async function takeDownReel(
  trx: Transaction<Tables>,
  id: string,
  why: TakeDown,
  now: Date,
): Promise<string[] | undefined> {
  const reel = await lock(trx, id);
  const wasHidden = reel.taken_down_at !== null;
  if (isDownAlready(reel, why)) return undefined;
  const files = await filesOf(trx, reel);
  await queries.setTakenDown(trx, reel, { at: now, ...why });
  if (wasHidden) return files.keys;
  await withholdFiles(trx, files, now);
  await countPublic(trx, reel, -1);
  await deleteNotificationsAbout(trx, id);
  return files.keys;
}

/** Makes it public again; false if it is public already. If its owner deleted it, only copies of it can be: those that wait, and new ones. */
export async function restoreReel(trx: Transaction<Tables>, id: string, now: Date): Promise<boolean> {
  const reel = await lock(trx, id);
  if (!reel.taken_down_at) return false;
  await queries.setTakenDown(trx, reel, null);
  if (reel.deleted_at) return true;
  await putInUse(trx, await filesOf(trx, reel), now);
  await countPublic(trx, reel, 1);
  return true;
}

/** Also locks one whose content was taken down and that was deleted: it can be restored. */
async function lock(trx: Transaction<Tables>, id: string) {
  const reel = await queries.lockReel(trx, id);
  if (reel?.state !== 'ready' || (reel.deleted_at && reel.taken_down_as !== 'content'))
    throw notFound('reel');
  return reel;
}
