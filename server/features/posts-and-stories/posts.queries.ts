import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import { type Embedded, embeddedAlone, embeddedInList } from '#contract/embedded-comments-and-people.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { creatorOf, putWorks, type Work } from '../works/works.ts';

export async function insertPost(trx: Transaction<Tables>, post: Insertable<Tables['posts']>) {
  await keepTablesInPlace(trx);
  await trx.insertInto('posts').values(post).execute();
  await putWorks(trx, 'post', [post]);
}

/** Reads a post in any state and locks the row. */
export async function lockPost(trx: Transaction<Tables>, id: string) {
  await keepTablesInPlace(trx);
  return await trx
    .selectFrom('posts')
    .selectAll()
    .where('creator_id', '=', (await creatorOf(trx, id)) ?? null)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Changes what its owner can edit. */
export async function setWords(
  db: Kysely<Tables>,
  { id, creator_id }: Work,
  words: { caption: string; description: string },
  now: Date,
) {
  await db
    .updateTable('posts')
    .set({ ...words, edited_at: now })
    .where('creator_id', '=', creator_id)
    .where('id', '=', id)
    .execute();
}

/** Current likes of these posts of a creator, without the creator's own. */
export async function countLikes(db: Kysely<Tables>, postIds: string[], creatorId: string): Promise<number> {
  if (postIds.length === 0) return 0;
  const { likes } = await db
    .selectFrom('post_likes')
    .select((eb) => eb.fn.countAll<number>().as('likes'))
    .where('creator_id', '=', creatorId)
    .where(sql<boolean>`post_id = any(${postIds}::uuid[])`)
    .where('person_id', '<>', creatorId)
    .where('undone_at', 'is', null)
    .executeTakeFirstOrThrow();
  return likes;
}

export async function addToLikeCount(db: Kysely<Tables>, { id, creator_id }: Work, by: 1 | -1) {
  await db
    .updateTable('posts')
    .set((eb) => ({ like_count: eb('like_count', '+', by) }))
    .where('creator_id', '=', creator_id)
    .where('id', '=', id)
    .execute();
}

export async function addToPostCount(db: Kysely<Tables>, creatorId: string, by: 1 | -1) {
  await db
    .updateTable('people')
    .set((eb) => ({ post_count: eb('post_count', '+', by) }))
    .where('id', '=', creatorId)
    .execute();
}

/** Those of these posts that a person likes and can see. */
export async function likedOf(db: Kysely<Tables>, personId: string, postIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ post_id: string }>`
    with liked as materialized (
      select post_id, creator_id from post_likes
      where person_id = ${personId} and undone_at is null and post_id = any(${postIds}::uuid[]))
    select post_id from liked where ${notBlocked(personId, 'liked.creator_id')}`.execute(db);
  return rows.map((row) => row.post_id);
}

/** Posts with their creator and the newest likes, without those of people who are blocked for the viewer. */
function posts(db: Kysely<Tables>, embedded: Embedded, viewerId: string | undefined) {
  return db
    .selectFrom('posts')
    .innerJoin('people', 'people.id', 'posts.creator_id')
    .selectAll('posts')
    .select([
      'people.username',
      'people.picture_key',
      sql<string[]>`case when posts.like_count = 0 then '{}' else newest_post_likes(
        posts.id, posts.creator_id, ${viewerId ?? null}, ${embedded.people}) end`.as('likes'),
    ])
    .where('posts.deleted_at', 'is', null)
    .where('people.suspended_at', 'is', null)
    .where(notBlocked(viewerId, 'posts.creator_id'));
}

export type PostRow = Awaited<ReturnType<typeof listPosts>>[number];

/** The public ones of these posts, in any order. */
export function listByIds(db: Kysely<Tables>, viewerId: string | undefined, ids: readonly string[]) {
  return posts(db, embeddedInList, viewerId)
    .where('posts.id', 'in', ids)
    .where('taken_down_at', 'is', null)
    .execute();
}

export function findPost(db: Kysely<Tables>, id: string, viewerId: string | undefined) {
  return posts(db, embeddedAlone, viewerId).where('posts.id', '=', id).executeTakeFirst();
}

/**
 * Public posts, newest first, after the cursor; optionally of one creator, for themselves including those taken down.
 */
export function listPosts(
  db: Kysely<Tables>,
  { creatorId, viewerId }: { creatorId?: string; viewerId: string | undefined },
  limit: number,
  after: Cursor | undefined,
) {
  let query = posts(db, embeddedInList, viewerId)
    .orderBy('published_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(limit);
  if (!creatorId || viewerId !== creatorId) query = query.where('taken_down_at', 'is', null);
  if (creatorId) query = query.where('creator_id', '=', creatorId);
  if (after) query = query.where(sql<boolean>`(published_at, posts.id) < (${after.at}, ${after.id})`);
  return query.execute();
}

/** The public posts of the same creator that were published next and before. */
export async function findNeighbours(
  db: Kysely<Tables>,
  { id, creator_id, published_at }: Pick<PostRow, 'id' | 'creator_id' | 'published_at'>,
): Promise<{ newer: string | null; older: string | null }> {
  const position = sql`(${published_at}, ${id}::uuid)`;
  const publicOnes = sql`select id from posts
    where creator_id = ${creator_id} and deleted_at is null and taken_down_at is null`;
  const { rows } = await sql<{ newer: string | null; older: string | null }>`select
    (${publicOnes} and (published_at, id) > ${position} order by published_at, id limit 1) as newer,
    (${publicOnes} and (published_at, id) < ${position} order by published_at desc, id desc limit 1) as older`.execute(
    db,
  );
  return rows[0] ?? { newer: null, older: null };
}
