import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Work } from '../works/works.ts';

export interface LikeRow {
  liked_at: Date;
  undone_at: Date | null;
}

/** The like of this person on this post, active or undone. The post's row must be locked, so that the like cannot change. */
export function findLike(
  db: Kysely<Tables>,
  { id, creator_id }: Work,
  personId: string,
): Promise<LikeRow | undefined> {
  return db
    .selectFrom('post_likes')
    .select(['liked_at', 'undone_at'])
    .where('creator_id', '=', creator_id)
    .where('post_id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst();
}

/**
 * Stores a like. Returns false if the person was deleted. The row has no foreign key to people, since it outlives
 * them, so the insert itself locks the person.
 */
export async function setLike(
  db: Kysely<Tables>,
  { id, creator_id }: Work,
  personId: string,
  likedAt: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into post_likes (post_id, person_id, liked_at, creator_id)
    select ${id}::uuid, id, ${likedAt}::timestamptz, ${creator_id}::uuid from people where id = ${personId} for key share
    on conflict on constraint post_likes_pkey do update set liked_at = excluded.liked_at, undone_at = null
    returning 1`.execute(db);
  return rows.length === 1;
}

export async function undoLike(
  db: Kysely<Tables>,
  { id, creator_id }: Work,
  personId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('post_likes')
    .set({ undone_at: now })
    .where('creator_id', '=', creator_id)
    .where('post_id', '=', id)
    .where('person_id', '=', personId)
    .execute();
}
