import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { newId } from '../../platform/ids.ts';
import { notFound } from '../../platform/refusal.ts';
import { notify } from '../notifications/notifications.ts';
import * as queries from './reels.queries.ts';

/** Likes a reel. Twice is once. */
export async function likeReel(
  db: Kysely<Tables>,
  reelId: string,
  personId: string,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { creator_id } = await lockPublicReel(trx, reelId);
    if (!(await queries.insertLike(trx, reelId, personId, now))) return;
    await queries.addToReel(trx, reelId, 'like_count', 1);
    await notify(trx, creator_id, { kind: 'like_reel', senderId: personId, aboutId: reelId }, now);
  });
}

/** Comments on a reel; returns the comment's id. */
export async function commentOnReel(
  db: Kysely<Tables>,
  reelId: string,
  personId: string,
  text: string,
  now: Date,
): Promise<string> {
  const id = newId(now);
  await db.transaction().execute(async (trx) => {
    const { creator_id } = await lockPublicReel(trx, reelId);
    await queries.insertComment(trx, { id, reel_id: reelId, person_id: personId, text, created_at: now });
    await queries.addToReel(trx, reelId, 'comment_count', 1);
    const fact = { kind: 'comment' as const, senderId: personId, aboutId: reelId, factId: id };
    await notify(trx, creator_id, fact, now);
  });
  return id;
}

/** Notes that a reel was shared. */
export async function shareReel(db: Kysely<Tables>, reelId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockPublicReel(trx, reelId);
    await queries.addToReel(trx, reelId, 'share_count', 1);
  });
}

async function lockPublicReel(db: Kysely<Tables>, reelId: string) {
  const reel = await queries.lockReel(db, reelId);
  if (reel?.state !== 'ready' || reel.deleted_at) throw notFound('This reel is not there.');
  return reel;
}
