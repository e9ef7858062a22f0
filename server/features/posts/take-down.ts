import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import { deleteNotificationsAbout } from '../notifications/notifications.ts';
import { putInUse, withholdFiles } from '../stored-files/stored-files.ts';
import { keysOf } from '../stored-files/urls.ts';
import * as queries from './posts.queries.ts';

/**
 * Hides a post from everybody but its owner, who reads why. Returns its files; undefined where it is hidden already. What it earned stays as it
 * is. Part of the transaction that logs who did it.
 */
export async function takeDownPost(
  trx: Transaction<Tables>,
  id: string,
  reason: string,
  now: Date,
): Promise<string[] | undefined> {
  const post = await lock(trx, id);
  if (post.taken_down_at) return undefined;
  const keys = keysOf(post);
  await queries.setTakenDown(trx, id, { at: now, reason });
  await withholdFiles(trx, { ownerId: post.creator_id, keys }, now);
  await deleteNotificationsAbout(trx, id);
  await queries.addToPostCount(trx, post.creator_id, -1);
  return keys;
}

/** Makes it public again; false where it is. */
export async function restorePost(trx: Transaction<Tables>, id: string, now: Date): Promise<boolean> {
  const post = await lock(trx, id);
  if (!post.taken_down_at) return false;
  await queries.setTakenDown(trx, id, null);
  await putInUse(trx, { ownerId: post.creator_id, keys: keysOf(post) }, now);
  await queries.addToPostCount(trx, post.creator_id, 1);
  return true;
}

async function lock(trx: Transaction<Tables>, id: string) {
  const post = await queries.lockPost(trx, id);
  if (!post || post.deleted_at) throw notFound('This post was not found.');
  return post;
}
