import type { Transaction } from 'kysely';
import { type Moment, monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { MonthChange } from '../earnings/months.ts';
import * as queries from './account-deletion.queries.ts';

/** Locks every post that the deletion of an account changes, in the order of their ids. */
export const holdPosts = queries.lockTouched;

/**
 * Deletes a person's posts and likes. A like is undone as by the person: the row stays with its date, and the coin is
 * taken back only in a month that is not over (decisions §4). Returns what the person's own month loses, the months
 * of others that lose a like, and the keys of the files.
 */
export async function forgetPosts(
  trx: Transaction<Tables>,
  personId: string,
  { now, timeZone }: Moment,
): Promise<{ lost: Pick<MonthChange, 'posts' | 'likes'>; lostByOthers: MonthChange[] }> {
  const month = monthOf(now, timeZone);
  const unliked = await queries.undoLikes(trx, personId, now);
  const likes = new Map<string, number>();
  for (const { creator_id, duplicate, liked_at } of unliked) {
    if (creator_id === personId || duplicate || monthOf(liked_at, timeZone) !== month) continue;
    likes.set(creator_id, (likes.get(creator_id) ?? 0) + 1);
  }

  const posts = await queries.listStanding(trx, personId);
  await queries.emptyPosts(trx, personId, now);
  const ofThisMonth = posts.filter(
    (post) => !post.duplicate && monthOf(post.published_at, timeZone) === month,
  );
  return {
    lost: {
      posts: ofThisMonth.length,
      likes: await queries.countLikes(
        trx,
        ofThisMonth.map(({ id }) => id),
        personId,
      ),
    },
    lostByOthers: [...likes].map(([creatorId, count]) => ({ creatorId, month, likes: count })),
  };
}
