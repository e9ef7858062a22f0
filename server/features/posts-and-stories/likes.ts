import type { Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound } from '#server/platform/refusal.ts';
import { countActivity } from '../activity/activity.ts';
import { notify } from '../notifications/notifications.ts';
import { isHidden } from '../people/blocks.ts';
import { removeLike, storeLike } from './post-likes.ts';
import * as queries from './posts.queries.ts';

export interface Liked {
  liked: boolean;
  likeCount: number;
}

/**
 * Likes a post, with the coins for its creator and for the caller in the same transaction. Repeating it changes
 * nothing.
 */
export async function likePost(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  postId: string,
  personId: string,
): Promise<Liked> {
  const now = clock();
  const { timeZone } = config;
  return await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    const post = await lockPostFor(trx, postId, personId);
    if (!(await storeLike(trx, post, personId, { now, timeZone })))
      return { liked: true, likeCount: post.like_count };
    await queries.addToLikeCount(trx, post, 1);
    await countActivity(trx, personId, { kind: 'photo_like', factId: postId }, { now, timeZone });
    await notify(trx, post.creator_id, { kind: 'like_post', senderId: personId, aboutId: postId }, now);
    return { liked: true, likeCount: post.like_count + 1 };
  });
}

/** Undoes the caller's like of a post. Repeating it changes nothing. */
export async function unlikePost(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  postId: string,
  personId: string,
): Promise<Liked> {
  const now = clock();
  const { timeZone } = config;
  return await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    const post = await lockPostFor(trx, postId, personId);
    if (!(await removeLike(trx, post, personId, { now, timeZone })))
      return { liked: false, likeCount: post.like_count };
    await queries.addToLikeCount(trx, post, -1);
    return { liked: false, likeCount: post.like_count - 1 };
  });
}

/** Those of these posts that a person likes. */
export const likedPostsOf = queries.likedOf;

/** Locks a post that this person can see. */
async function lockPostFor(trx: Transaction<Tables>, postId: string, personId: string) {
  const post = await queries.lockPost(trx, postId);
  if (!post || post.deleted_at || post.taken_down_at || (await isHidden(trx, post.creator_id, personId)))
    throw notFound('post');
  return post;
}
