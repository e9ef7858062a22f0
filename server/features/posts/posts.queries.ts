import { type Insertable, type Kysely, sql } from 'kysely';
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
