import type { Transaction } from 'kysely';
import { type Moment, monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notSignedIn } from '#server/platform/refusal.ts';
import { addToMonths, subtractFromMonth } from '../month-counts/months.ts';
import type { Work } from '../works/works.ts';
import * as queries from './post-likes.queries.ts';

export interface LikedPost extends Work {
  duplicate: boolean;
}

/**
 * Stores a like of a post and what it earns, in the transaction that has locked the post. Returns false if the like already exists. Over
 * all months a person's like of a post counts at most once, in the month of `liked_at`, unless it was undone within that month (decisions
 * §4). A repeated like keeps its old month, or gets a new one if it was undone in its own. Likes of own posts and of duplicates do not
 * count.
 */
export async function storeLike(
  trx: Transaction<Tables>,
  post: LikedPost,
  personId: string,
  { now, timeZone }: Moment,
): Promise<boolean> {
  const before = await queries.findLike(trx, post, personId);
  if (before && !before.undone_at) return false;
  const counted = before !== undefined && !wasTakenBack(before, timeZone);
  if (!(await queries.setLike(trx, post, personId, counted ? before.liked_at : now))) throw notSignedIn();
  if (!counted && pays(post, personId))
    await addToMonths(trx, [{ creatorId: post.creator_id, month: monthOf(now, timeZone), likes: 1 }]);
  return true;
}

/**
 * Undoes a like, in the transaction that has locked the post. Returns false if there is none. Its coin is subtracted only in the month in
 * which it counted, because past months never change.
 */
export async function removeLike(
  trx: Transaction<Tables>,
  post: LikedPost,
  personId: string,
  { now, timeZone }: Moment,
): Promise<boolean> {
  const like = await queries.findLike(trx, post, personId);
  if (!like || like.undone_at) return false;
  await queries.undoLike(trx, post, personId, now);
  const month = monthOf(now, timeZone);
  if (pays(post, personId) && monthOf(like.liked_at, timeZone) === month)
    await subtractFromMonth(trx, { creatorId: post.creator_id, month, likes: 1 });
  return true;
}

const pays = (post: LikedPost, personId: string) => !post.duplicate && post.creator_id !== personId;

/** Undone in the month in which it counts. */
function wasTakenBack({ liked_at, undone_at }: queries.LikeRow, timeZone: string): boolean {
  return undone_at !== null && monthOf(undone_at, timeZone) === monthOf(liked_at, timeZone);
}
