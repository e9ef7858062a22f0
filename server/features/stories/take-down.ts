import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import { deleteNotificationsAbout } from '../notifications/notifications.ts';
import { putInUse, withholdFiles } from '../stored-files/stored-files.ts';
import { keysOf } from '../stored-files/urls.ts';
import * as queries from './stories.queries.ts';

/**
 * Hides a story from everybody but its owner, who reads why. Returns its files; undefined where it is hidden already. What it earned stays as it
 * is. Part of the transaction that logs who did it.
 */
export async function takeDownStory(
  trx: Transaction<Tables>,
  id: string,
  reason: string,
  now: Date,
): Promise<string[] | undefined> {
  const story = await lock(trx, id);
  if (story.taken_down_at) return undefined;
  const keys = keysOf(story);
  await queries.setTakenDown(trx, id, { at: now, reason });
  await withholdFiles(trx, { ownerId: story.creator_id, keys }, now);
  await deleteNotificationsAbout(trx, id);
  return keys;
}

/** Makes it public again; false where it is. */
export async function restoreStory(trx: Transaction<Tables>, id: string, now: Date): Promise<boolean> {
  const story = await lock(trx, id);
  if (!story.taken_down_at) return false;
  await queries.setTakenDown(trx, id, null);
  await putInUse(trx, { ownerId: story.creator_id, keys: keysOf(story) }, now);
  return true;
}

async function lock(trx: Transaction<Tables>, id: string) {
  const story = await queries.lockStory(trx, id);
  if (!story || story.deleted_at) throw notFound('This story was not found.');
  return story;
}
