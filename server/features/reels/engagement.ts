import type { Kysely, Transaction } from 'kysely';
import type { Page } from '#contract/fields.ts';
import type { Comment } from '#contract/reels.ts';
import type { Context } from '#server/platform/context.ts';
import { pageWithin, readThreadCursor, writeThreadCursor } from '#server/platform/cursor.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { countActivity } from '../activity/activity.ts';
import { deleteNotificationsOfComment, notify } from '../notifications/notifications.ts';
import { isHidden } from '../people/blocks.ts';
import { listMentioned } from '../people/mentions.ts';
import { likedPostsOf } from '../posts-and-stories/likes.ts';
import * as engagement from './engagement.queries.ts';
import * as queries from './reels.queries.ts';
import { asComment, isPublic } from './show.ts';

export interface Liked {
  liked: boolean;
  likeCount: number;
}

/** Likes a reel, with the caller's activity coin in the same transaction. Repeating it changes nothing. */
export async function likeReel(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  reelId: string,
  personId: string,
): Promise<Liked> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    const reel = await lockReelFor(trx, reelId, personId);
    const { creator_id, like_count } = reel;
    if (!(await engagement.insertLike(trx, reel, personId, now)))
      return { liked: true, likeCount: like_count };
    await engagement.addToReel(trx, reel, 'like_count', 1);
    await countActivity(
      trx,
      personId,
      { kind: 'reel_like', factId: reelId },
      { now, timeZone: config.timeZone },
    );
    await notify(trx, creator_id, { kind: 'like_reel', senderId: personId, aboutId: reelId }, now);
    return { liked: true, likeCount: like_count + 1 };
  });
}

/** Undoes a like. Repeating it changes nothing. */
export async function unlikeReel(db: Kysely<Tables>, reelId: string, personId: string): Promise<Liked> {
  return await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    const reel = await lockReelFor(trx, reelId, personId);
    const { like_count } = reel;
    if (!(await engagement.deleteLike(trx, reel, personId))) return { liked: false, likeCount: like_count };
    await engagement.addToReel(trx, reel, 'like_count', -1);
    return { liked: false, likeCount: like_count - 1 };
  });
}

/** Those of these reels and posts that a person likes, in the order of `ids`. */
export async function likedOf(db: Kysely<Tables>, personId: string, ids: string[]): Promise<string[]> {
  const [reels, posts] = await Promise.all([
    engagement.likedOf(db, personId, ids),
    likedPostsOf(db, personId, ids),
  ]);
  const liked = new Set([...reels, ...posts]);
  return [...new Set(ids.map((id) => id.toLowerCase()))].filter((id) => liked.has(id));
}

/** Adds a comment to a reel, or an answer to a comment. A retry with the same `sentAs` returns the existing comment. */
export async function commentOnReel(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  reelId: string,
  personId: string,
  { text, sentAs, parentId }: { text: string; sentAs: string; parentId?: string | undefined },
): Promise<{ data: Comment; commentCount: number }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    const reel = await lockReelFor(trx, reelId, personId);
    const { creator_id, comment_count } = reel;
    const id = newId(now);
    const thread = parentId && (await engagement.findThread(trx, reel, personId, parentId));
    const comment = {
      id,
      reel_id: reelId,
      creator_id,
      person_id: personId,
      text,
      sent_as: sentAs,
      created_at: now,
      thread_id: thread ?? null,
    };
    const isNew = await engagement.insertComment(trx, comment);
    if (isNew) {
      await engagement.addToReel(trx, reel, 'comment_count', 1);
      const fact = { senderId: personId, aboutId: reelId, factId: id };
      await notify(trx, creator_id, { ...fact, kind: 'comment' }, now);
      for (const mentioned of await listMentioned(trx, text, [personId, creator_id]))
        await notify(trx, mentioned, { ...fact, kind: 'mention' }, now);
    }
    const row = await engagement.findComment(trx, reel, personId, sentAs);
    if (!row && (await isHidden(trx, personId, undefined)))
      throw new Refusal('not_signed_in', { what: 'gone' });
    if (!row) throw new Refusal('sent_before', {}, 'sentAs');
    return {
      data: asComment(row, config.mediaOrigin),
      commentCount: comment_count + (isNew ? 1 : 0),
    };
  });
}

/** Deletes a comment of the caller, or a comment on the caller's reel. Repeating it changes nothing. */
export async function deleteComment(db: Kysely<Tables>, commentId: string, callerId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    const known = await engagement.whoseComment(trx, commentId);
    if (!known) return;
    if (known.person_id !== callerId && known.creator_id !== callerId) {
      // A comment that the caller cannot see is answered like one that does not exist.
      for (const id of [known.person_id, known.creator_id]) if (await isHidden(trx, id, callerId)) return;
      throw new Refusal('not_yours', { what: 'comment' });
    }
    await dropComment(trx, known);
  });
}

/** Deletes anybody's comment, in the transaction of an operator. Returns undefined if it does not exist. */
export async function removeComment(
  trx: Transaction<Tables>,
  commentId: string,
): Promise<{ reelId: string; personId: string } | undefined> {
  await keepTablesInPlace(trx);
  const known = await engagement.whoseComment(trx, commentId);
  if (!known || !(await dropComment(trx, known))) return undefined;
  return { reelId: known.reel_id, personId: known.person_id };
}

async function dropComment(
  trx: Transaction<Tables>,
  comment: { id: string; reel_id: string; creator_id: string },
): Promise<boolean> {
  const { reel_id, creator_id } = comment;
  await queries.lockReel(trx, reel_id);
  if (!(await engagement.deleteComment(trx, comment))) return false;
  await engagement.addToReel(trx, { id: reel_id, creator_id }, 'comment_count', -1);
  await deleteNotificationsOfComment(trx, comment.id);
  return true;
}

/** Comments on a public reel, newest first, and after each its answers, oldest first, without those of people who are blocked for the viewer. */
export async function listComments(
  { db, config }: Context<'db' | 'config'>,
  reelId: string,
  page: Page,
  viewerId?: string,
): Promise<{ data: Comment[]; commentCount: number; nextCursor: string | null }> {
  const reel = await engagement.findCommented(db, reelId, viewerId);
  if (!reel || !isPublic(reel)) throw notFound('reel');
  const rows = await engagement.listComments(
    db,
    { reel, viewerId },
    page.limit + 1,
    readThreadCursor(page.cursor),
  );
  const cursorAt = ({ id, thread_id }: (typeof rows)[number]) =>
    writeThreadCursor({ thread: thread_id ?? id, id });
  const shown = pageWithin(rows, page, cursorAt, (row) => asComment(row, config.mediaOrigin));
  return { ...shown, commentCount: reel.comment_count };
}

/** Counts a share of a reel, once for each person. */
export async function shareReel(
  { db, clock }: Context<'db' | 'clock'>,
  reelId: string,
  personId: string,
): Promise<{ shareviews: number }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    const reel = await lockReelFor(trx, reelId, personId);
    const { share_count } = reel;
    if (!(await engagement.insertShare(trx, reel, personId, now))) return { shareviews: share_count };
    await engagement.addToReel(trx, reel, 'share_count', 1);
    return { shareviews: share_count + 1 };
  });
}

/** Locks a reel that this person can see. */
async function lockReelFor(trx: Transaction<Tables>, reelId: string, personId: string) {
  const reel = await queries.lockReel(trx, reelId);
  if (!reel || !isPublic(reel) || reel.deleted_at || (await isHidden(trx, reel.creator_id, personId)))
    throw notFound('reel');
  return reel;
}
