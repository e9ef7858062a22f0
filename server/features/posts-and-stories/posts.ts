import type { Kysely } from 'kysely';
import type { Page } from '#contract/fields.ts';
import type { Post } from '#contract/posts.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import { lockAgainstDeletion } from './photos.queries.ts';
import * as queries from './posts.queries.ts';
import { type PostForm, type Publishing, publishPhoto } from './publish.ts';
import { asPost } from './show.ts';

/** Public posts, newest first, without those of people who are blocked for the viewer. */
export async function listPosts(context: Context<'db' | 'config'>, page: Page, viewerId?: string) {
  return await listBy(context, { viewerId }, page);
}

/** Posts of one person. Their owner also sees those taken down. */
export async function listPostsOf(
  context: Context<'db' | 'config'>,
  creatorId: string,
  caller: Caller | undefined,
  page: Page,
) {
  return await listBy(context, { creatorId, viewerId: caller?.id }, page);
}

async function listBy(
  { db, config }: Context<'db' | 'config'>,
  which: { creatorId?: string; viewerId: string | undefined },
  page: Page,
): Promise<{ data: Post[]; nextCursor: string | null }> {
  const rows = await queries.listPosts(db, which, page.limit + 1, readCursor(page.cursor));
  const position = (row: queries.PostRow) => ({ at: row.published_at, id: row.id });
  return pageOf(rows, page.limit, position, (row) => asPost(row, config.mediaOrigin));
}

/** The public ones of these posts, by their ids. */
export async function postsById(
  { db, config }: Context<'db' | 'config'>,
  ids: readonly string[],
  viewerId: string | undefined,
): Promise<Map<string, Post>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.listByIds(db, viewerId, ids);
  return new Map(rows.map((row) => [row.id, asPost(row, config.mediaOrigin)]));
}

/** One post. A post that was taken down is visible to its owner only. */
export async function showPost(
  { db, config }: Context<'db' | 'config'>,
  id: string,
  caller: Caller | undefined,
): Promise<Post> {
  return asPost(await findVisible(db, id, caller), config.mediaOrigin);
}

/** The same, with the public posts of its creator that were published next and before. */
export async function showPostInOrder(
  { db, config }: Context<'db' | 'config'>,
  id: string,
  caller: Caller | undefined,
): Promise<{ data: Post; newer: string | null; older: string | null }> {
  const row = await findVisible(db, id, caller);
  return { data: asPost(row, config.mediaOrigin), ...(await queries.findNeighbours(db, row)) };
}

async function findVisible(db: Kysely<Tables>, id: string, caller: Caller | undefined) {
  const row = await queries.findPost(db, id, caller?.id);
  if (!row || (row.taken_down_at && caller?.id !== row.creator_id)) throw notFound('post');
  return row;
}

/** Publishes an uploaded photo as a post. A repeated request returns the same post. */
export const publishPost = (context: Publishing, creatorId: string, form: PostForm) =>
  publishPhoto(context, creatorId, { kind: 'post', ...form });

/** Prevents the deletion of a public post during this transaction. Returns false if it is not public. */
export const lockPostAgainstDeletion = (db: Kysely<Tables>, id: string) =>
  lockAgainstDeletion(db, 'post', id);
