import { type Kysely, sql } from 'kysely';
import { isAmong } from '#server/platform/database/among-works.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { byShard } from '../works/shards.ts';
import { groupOf, type Work } from '../works/works.ts';

export async function lockTouched(db: Kysely<Tables>, personId: string): Promise<void> {
  const { rows } = await sql<Work>`
    select id, creator_id from posts where creator_id = ${personId}
    union all select post_id, creator_id from post_likes where person_id = ${personId}`.execute(db);
  for (const posts of await byShard(db, rows))
    await sql`select id from posts where ${isAmong(posts)} order by id for no key update`.execute(db);
}

export interface UndoneLike {
  creator_id: string;
  duplicate: boolean;
  liked_at: Date;
}

/** Undoes all of a person's likes of existing posts and updates the counts of the posts. */
export async function undoLikes(db: Kysely<Tables>, personId: string, now: Date): Promise<UndoneLike[]> {
  const { rows: liked } = await sql<Work>`
    select post_id as id, creator_id from post_likes where person_id = ${personId} and undone_at is null`.execute(
    db,
  );
  // The posts are locked first, as by whoever likes: a like that is undone meanwhile is then not among the undone ones.
  const duplicates = new Map<string, boolean>();
  for (const posts of await byShard(db, liked)) {
    const { rows } = await sql<{ id: string; duplicate: boolean }>`
      select id, duplicate from posts where ${isAmong(posts)} and deleted_at is null
      order by id for no key update`.execute(db);
    for (const { id, duplicate } of rows) duplicates.set(id, duplicate);
  }
  const { rows: undone } = await sql<Work & { liked_at: Date }>`
    update post_likes set undone_at = ${now}
    where person_id = ${personId} and undone_at is null and post_id = any(${[...duplicates.keys()]}::uuid[])
    returning post_id as id, creator_id, liked_at`.execute(db);
  await sql`update posts set like_count = like_count - 1 where ${isAmong(groupOf(undone))}`.execute(db);
  return undone.map(({ id, ...like }) => ({ ...like, duplicate: duplicates.get(id) ?? false }));
}
