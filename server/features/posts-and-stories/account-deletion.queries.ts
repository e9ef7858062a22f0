import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function lockTouched(db: Kysely<Tables>, personId: string): Promise<void> {
  const { rows } = await sql<{ post_id: string }>`
    select post_id from post_likes where person_id = ${personId}`.execute(db);
  await sql`
    select id from posts where id in (
      select id from posts where creator_id = ${personId}
      union all select unnest(${rows.map(({ post_id }) => post_id)}::uuid[])
    ) order by id for no key update`.execute(db);
}

export interface UndoneLike {
  creator_id: string;
  duplicate: boolean;
  liked_at: Date;
}

/** Undoes all of a person's likes of existing posts and updates the counts of the posts. */
export async function undoLikes(db: Kysely<Tables>, personId: string, now: Date): Promise<UndoneLike[]> {
  const { rows: liked } = await sql<{ post_id: string }>`
    select post_id from post_likes where person_id = ${personId} and undone_at is null`.execute(db);
  // The posts are locked first, as by whoever likes: a like that is undone meanwhile is then not among the undone ones.
  const { rows: posts } = await sql<{ id: string; duplicate: boolean }>`
    select id, duplicate from posts
    where id = any(${liked.map(({ post_id }) => post_id)}::uuid[]) and deleted_at is null
    order by id for no key update`.execute(db);
  const { rows: undone } = await sql<{ post_id: string; creator_id: string; liked_at: Date }>`
    update post_likes set undone_at = ${now}
    where person_id = ${personId} and undone_at is null and post_id = any(${posts.map(({ id }) => id)}::uuid[])
    returning post_id, creator_id, liked_at`.execute(db);
  await sql`
    update posts set like_count = like_count - 1
    where id = any(${undone.map(({ post_id }) => post_id)}::uuid[])`.execute(db);
  const duplicates = new Set(posts.filter(({ duplicate }) => duplicate).map(({ id }) => id));
  return undone.map(({ post_id, ...like }) => ({ ...like, duplicate: duplicates.has(post_id) }));
}
