import { type Insertable, type Kysely, type QueryCreator, sql, type Transaction } from 'kysely';
import { type Embedded, embeddedAlone, embeddedInList } from '#contract/embedded-comments-and-people.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import { publicOnes, publicPage } from '#server/platform/database/shown-works.ts';
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

/** Those columns of a post that lists and pages use. */
const columns = [
  ...(['id', 'creator_id', 'media_key', 'caption', 'description', 'duplicate', 'placeholder'] as const),
  ...(['width', 'height', 'widths', 'label', 'like_count', 'published_at', 'edited_at'] as const),
  ...(['taken_down_at', 'taken_down_as', 'taken_down_reason', 'extra_key', 'extra_files'] as const),
] as const;

/** Posts that are not deleted. */
const posts = (db: QueryCreator<Tables>) =>
  db.selectFrom('posts').select(columns).where('deleted_at', 'is', null);

type Posts = ReturnType<typeof posts>;

/**
 * Posts with their creators and the newest likes, newest first, without those of people who are suspended, or blocked for the viewer. `choose` adds
 * conditions, order and limit.
 */
function show(
  db: Kysely<Tables>,
  viewerId: string | undefined,
  { people }: Embedded,
  choose: (query: Posts) => Posts,
) {
  return db
    .with(
      (name) => name('shown').materialized(),
      (creator) => choose(posts(creator)),
    )
    .selectFrom('shown')
    .innerJoin('people', 'people.id', 'shown.creator_id')
    .selectAll('shown')
    .select([
      'people.username',
      'people.picture_key',
      sql<string[]>`case when shown.like_count = 0 then '{}' else newest_post_likes(
        shown.id, shown.creator_id, ${viewerId ?? null}, ${people}) end`.as('likes'),
    ])
    .where('people.suspended_at', 'is', null)
    .where(notBlocked(viewerId, 'shown.creator_id'))
    .orderBy('shown.published_at', 'desc')
    .orderBy('shown.id', 'desc')
    .execute();
}

export type PostRow = Awaited<ReturnType<typeof show>>[number];

/** The public ones of these posts. */
export function listByIds(db: Kysely<Tables>, viewerId: string | undefined, ids: readonly string[]) {
  return show(db, viewerId, embeddedInList, (query) => query.where(publicOnes(ids)));
}

export async function findPost(db: Kysely<Tables>, id: string, viewerId: string | undefined) {
  const creatorId = await creatorOf(db, id);
  if (!creatorId) return undefined;
  const [post] = await show(db, viewerId, embeddedAlone, (query) =>
    query.where('creator_id', '=', creatorId).where('id', '=', id),
  );
  return post;
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
  const choose = (query: Posts) => {
    if (!creatorId) return query.where(publicPage('post', viewerId, limit, after));
    let page = query.where('creator_id', '=', creatorId);
    if (viewerId !== creatorId) page = page.where('taken_down_at', 'is', null);
    if (after) page = page.where(sql<boolean>`(published_at, id) < (${after.at}, ${after.id})`);
    return page.orderBy('published_at', 'desc').orderBy('id', 'desc').limit(limit);
  };
  return show(db, viewerId, embeddedInList, choose);
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
