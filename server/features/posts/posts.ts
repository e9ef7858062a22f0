import type { Kysely } from 'kysely';
import type { Page } from '../../../contract/fields.ts';
import type { Post } from '../../../contract/posts.ts';
import { monthOf } from '../../platform/clock.ts';
import { cutPage, readCursor } from '../../platform/cursor.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { newId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { addToMonths } from '../earnings/months.ts';
import { takePhoto } from '../media/photos.ts';
import { noteFirstPublication } from '../media/uploads.ts';
import { notify } from '../notifications/notifications.ts';
import * as queries from './posts.queries.ts';
import { asPost } from './show.ts';

/** Posts, newest first; of one creator where one is named. */
export async function listPosts(
  db: Kysely<Tables>,
  creatorId: string | undefined,
  page: Page,
  mediaOrigin: string,
): Promise<{ data: Post[]; nextCursor: string | null }> {
  const rows = await queries.listPosts(db, creatorId, page.limit + 1, readCursor(page.cursor));
  const cut = cutPage(rows, page.limit, (row) => ({ at: row.published_at, id: row.id }));
  return { data: cut.rows.map((row) => asPost(row, mediaOrigin)), nextCursor: cut.nextCursor };
}

export interface PostForm {
  /** Name of the uploaded photo, from its upload. */
  fileName: string;
  caption: string;
  description: string;
}

/** Makes a post of an uploaded photo, public at once; returns its id. Sent twice it is the same post. */
export async function publishPost(
  db: Kysely<Tables>,
  creatorId: string,
  form: PostForm,
  now: Date,
  timeZone: string,
): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    const photo = await takePhoto(trx, form.fileName, creatorId, now);
    if (!photo) {
      const known = await queries.findByMediaKey(trx, form.fileName, creatorId);
      if (known) return known.id;
      throw new Refusal(
        'upload_unknown',
        'This photo has not been uploaded; please upload it first.',
        'fileName',
      );
    }
    const { key, sha256, placeholder, width, height, widths } = photo;
    const duplicate = !(await noteFirstPublication(trx, sha256, creatorId, now));
    const id = newId(now);
    await queries.insertPost(trx, {
      id,
      creator_id: creatorId,
      media_key: key,
      caption: form.caption,
      description: form.description,
      sha256,
      duplicate,
      placeholder,
      width,
      height,
      widths,
      published_at: now,
    });
    await queries.addToPostCount(trx, creatorId, 1);
    if (!duplicate) await addToMonths(trx, [{ creatorId, month: monthOf(now, timeZone), posts: 1 }]);
    return id;
  });
}

/**
 * Likes a post. A like counts once per person and post, ever, and never on one's own (decisions §4); it is the like
 * that the creator is paid for, so it moves their month in the same transaction.
 */
export async function likePost(
  db: Kysely<Tables>,
  postId: string,
  personId: string,
  now: Date,
  timeZone: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const post = await queries.lockPost(trx, postId);
    if (!post) throw new Refusal('not_found', 'This post is not there.');
    const like = await queries.putLike(trx, postId, personId, now);
    if (!like) return;
    await queries.addToLikeCount(trx, postId, 1);
    await notify(trx, post.creator_id, { kind: 'like_post', senderId: personId, aboutId: postId }, now);
    if (like.first && personId !== post.creator_id && !post.duplicate) {
      await addToMonths(trx, [{ creatorId: post.creator_id, month: monthOf(now, timeZone), likes: 1 }]);
    }
  });
}
