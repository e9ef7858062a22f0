import type { Transaction } from 'kysely';
import { type Moment, monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { MonthChange } from '../month-counts/months.ts';
import { countsSince } from '../month-counts/publication-month.ts';
import { removeFromIndex } from '../search-index/search-index.ts';
import * as queries from './account-deletion.queries.ts';
import { eraseAllOf, type Kind, lockAllOf } from './photos.queries.ts';
import { countLikes } from './posts.queries.ts';

/** Locks every post that the deletion of an account changes, in the order of their ids. */
export const holdPosts = queries.lockTouched;

/**
 * Deletes a person's posts and likes. A like is undone as by the person: the row stays with its date, and the coin is
 * taken back only in a month that is not over (decisions §4). Returns what is subtracted from the person's own month,
 * and the months of others that lose a like.
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

  const posts = await forgetPhotos(trx, 'post', personId, { now, timeZone });
  const ownLikes = await countLikes(trx, posts, personId);
  return {
    lost: { posts: posts.length, likes: ownLikes },
    lostByOthers: [...likes].map(([creatorId, count]) => ({ creatorId, month, likes: count })),
  };
}

/** Deletes a person's stories. Returns what is subtracted from their month. */
export async function forgetStories(
  trx: Transaction<Tables>,
  personId: string,
  moment: Moment,
): Promise<{ lost: Pick<MonthChange, 'stories'> }> {
  const stories = await forgetPhotos(trx, 'story', personId, moment);
  return { lost: { stories: stories.length } };
}

/** Deletes a person's photos of a kind; returns the ids of those that count in this month. */
async function forgetPhotos(
  trx: Transaction<Tables>,
  kind: Kind,
  personId: string,
  { now, timeZone }: Moment,
): Promise<string[]> {
  const photos = await lockAllOf(trx, kind, personId);
  await eraseAllOf(trx, kind, personId, now);
  if (kind === 'post')
    await removeFromIndex(
      trx,
      photos.map(({ id }) => id),
    );
  const month = monthOf(now, timeZone);
  return photos.filter((photo) => countsSince(month, photo, timeZone)).map(({ id }) => id);
}
