import type { Page } from '#contract/fields.ts';
import type { Post } from '#contract/posts.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import { addToMonths } from '../earnings/months.ts';
import { scheduleFanOut } from '../notifications/fan-out.ts';
import { extraFilesJob } from '../stored-files/extra-files.ts';
import { noPhoto, takePhoto } from '../uploads/photos.ts';
import { noteFirstPublication } from '../uploads/uploads.ts';
import * as queries from './posts.queries.ts';
import { asPost } from './show.ts';

/** Public posts, newest first. */
export async function listPosts(context: Context<'db' | 'config'>, page: Page) {
  return await listBy(context, {}, page);
}

/** Posts of one person. Their owner also sees those taken down. */
export async function listPostsOf(
  context: Context<'db' | 'config'>,
  creatorId: string,
  caller: Caller | undefined,
  page: Page,
) {
  return await listBy(context, { creatorId, all: caller?.id === creatorId }, page);
}

async function listBy(
  { db, config }: Context<'db' | 'config'>,
  which: { creatorId?: string; all?: boolean },
  page: Page,
): Promise<{ data: Post[]; nextCursor: string | null }> {
  const rows = await queries.listPosts(db, which, page.limit + 1, readCursor(page.cursor));
  const position = (row: queries.PostRow) => ({ at: row.published_at, id: row.id });
  return pageOf(rows, page.limit, position, (row) => asPost(row, config.mediaOrigin));
}

/** One post. A post that was taken down is visible to its owner only. */
export async function showPost(
  { db, config }: Context<'db' | 'config'>,
  id: string,
  caller: Caller | undefined,
): Promise<Post> {
  const row = await queries.findPost(db, id);
  if (!row || (row.taken_down_at && caller?.id !== row.creator_id))
    throw notFound('This post was not found.');
  return asPost(row, config.mediaOrigin);
}

export interface PostForm {
  /** Id of the person as the client assumes it. */
  userId?: string | undefined;
  /** Name of the uploaded photo, from its upload. */
  fileName: string;
  caption: string;
  description: string;
}

/** Publishes an uploaded photo as a post. A repeated request returns the same post. */
export async function publishPost(
  { db, jobs, clock, config }: Context<'db' | 'jobs' | 'clock' | 'config'>,
  creatorId: string,
  form: PostForm,
): Promise<{ id: string; isNew: boolean }> {
  if (form.userId && form.userId !== creatorId)
    throw new Refusal('not_yours', 'You can publish only as yourself.');
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const photo = await takePhoto(trx, form.fileName, creatorId, now);
    if (!photo) {
      const known = await queries.findByMediaKey(trx, form.fileName, creatorId);
      if (known) return { id: known.id, isNew: false };
      throw await noPhoto(trx, form.fileName, creatorId);
    }
    const { key, sha256, placeholder, width, height, widths } = photo;
    const duplicate = !(await noteFirstPublication(trx, photo, creatorId, now));
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
    await jobs.send(trx, extraFilesJob, { kind: 'post', id, ownerId: creatorId });
    await scheduleFanOut(trx, jobs, { kind: 'new_post', senderId: creatorId, aboutId: id }, now);
    if (!duplicate) await addToMonths(trx, [{ creatorId, month: monthOf(now, config.timeZone), posts: 1 }]);
    return { id, isNew: true };
  });
}

/** Prevents the deletion of a public post during this transaction. Returns false if it is not public. */
export const lockPostAgainstDeletion = queries.lockAgainstDeletion;
