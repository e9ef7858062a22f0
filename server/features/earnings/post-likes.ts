import type { Transaction } from 'kysely';
import { type Moment, monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notSignedIn } from '#server/platform/refusal.ts';
import { addToMonths, takeFromMonth } from './months.ts';
import * as queries from './post-likes.queries.ts';

export interface LikedPost {
  id: string;
  creator_id: string;
  duplicate: boolean;
}

/**
 * Notes a like of a post and what it earns; false when it stands already. Part of the transaction that holds the post's
 * row. Over all months a person's like of a post counts once at most: the month of `liked_at` holds it, unless it was
 * undone within that month (decisions §4). Liked again it takes up its old place, or, where it was taken back in a month
 * that is over, a new one. One's own like, and a like of a copy, count for nothing.
 */
export async function noteLike(
  trx: Transaction<Tables>,
  post: LikedPost,
  personId: string,
  { now, timeZone }: Moment,
): Promise<boolean> {
  const before = await queries.findLike(trx, post.id, personId);
  if (before && !before.undone_at) return false;
  const counted = before !== undefined && !wasTakenBack(before, timeZone);
  if (!(await queries.setLike(trx, post.id, personId, counted ? before.liked_at : now))) throw notSignedIn();
  if (!counted && pays(post, personId))
    await addToMonths(trx, [{ creatorId: post.creator_id, month: monthOf(now, timeZone), likes: 1 }]);
  return true;
}

/**
 * Notes that a like is undone; false when none stands. In the month it counted in it is taken back; a past month never
 * changes. Part of the transaction that holds the post's row.
 */
export async function noteUnlike(
  trx: Transaction<Tables>,
  post: LikedPost,
  personId: string,
  { now, timeZone }: Moment,
): Promise<boolean> {
  const like = await queries.findLike(trx, post.id, personId);
  if (!like || like.undone_at) return false;
  await queries.undoLike(trx, post.id, personId, now);
  const month = monthOf(now, timeZone);
  if (pays(post, personId) && monthOf(like.liked_at, timeZone) === month)
    await takeFromMonth(trx, { creatorId: post.creator_id, month, likes: 1 });
  return true;
}

const pays = (post: LikedPost, personId: string) => !post.duplicate && post.creator_id !== personId;

function wasTakenBack({ liked_at, undone_at }: queries.LikeRow, timeZone: string): boolean {
  return undone_at !== null && monthOf(undone_at, timeZone) === monthOf(liked_at, timeZone);
}
