import { type Insertable, type Kysely, sql } from 'kysely';
import { embeddedAtMost } from '../../../contract/fields.ts';
import type { Cursor } from '../../platform/cursor.ts';
import type { Tables } from '../../platform/database/tables.ts';

export async function insertPost(db: Kysely<Tables>, post: Insertable<Tables['posts']>) {
  await db.insertInto('posts').values(post).execute();
}

export function findByMediaKey(db: Kysely<Tables>, mediaKey: string, creatorId: string) {
  return db
    .selectFrom('posts')
    .select('id')
    .where('media_key', '=', mediaKey)
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

export function lockPost(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('posts')
    .select(['id', 'creator_id', 'duplicate'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Sets a like; undefined when it is set already, `first` when this person never liked this post before. */
export async function putLike(db: Kysely<Tables>, postId: string, personId: string, now: Date) {
  const { rows } = await sql<{ first: boolean }>`
    insert into post_likes as l (post_id, person_id, liked_at) values (${postId}, ${personId}, ${now})
    on conflict (post_id, person_id) do update set undone_at = null where l.undone_at is not null
    returning (xmax = 0) as first`.execute(db);
  return rows[0];
}

export async function addToLikeCount(db: Kysely<Tables>, id: string, by: 1 | -1) {
  await db
    .updateTable('posts')
    .set((eb) => ({ like_count: eb('like_count', '+', by) }))
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

/** Posts with their creator and the newest likes. */
function posts(db: Kysely<Tables>) {
  return db
    .selectFrom('posts')
    .innerJoin('people', 'people.id', 'posts.creator_id')
    .selectAll('posts')
    .select([
      'people.username',
      'people.picture_key',
      sql<string[]>`case when posts.like_count = 0 then '{}' else array(
        select person_id from post_likes where post_id = posts.id and undone_at is null
        order by liked_at desc limit ${embeddedAtMost}) end`.as('likes'),
    ])
    .where('posts.deleted_at', 'is', null)
    .where('people.suspended_at', 'is', null);
}

export type PostRow = Awaited<ReturnType<typeof listPosts>>[number];

/** Posts, newest first, after the cursor; of one creator where one is named. */
export function listPosts(
  db: Kysely<Tables>,
  creatorId: string | undefined,
  limit: number,
  after: Cursor | undefined,
) {
  let query = posts(db).orderBy('published_at', 'desc').orderBy('posts.id', 'desc').limit(limit);
  if (creatorId) query = query.where('creator_id', '=', creatorId);
  if (after) query = query.where(sql<boolean>`(published_at, posts.id) < (${after.at}, ${after.id})`);
  return query.execute();
}
