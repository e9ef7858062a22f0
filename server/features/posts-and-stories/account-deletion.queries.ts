import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function lockTouched(db: Kysely<Tables>, personId: string): Promise<void> {
  await sql`
    select id from posts where id in (
      select id from posts where creator_id = ${personId}
      union all select post_id from post_likes where person_id = ${personId}
    ) order by id for no key update`.execute(db);
}

export interface UndoneLike {
  creator_id: string;
  duplicate: boolean;
  liked_at: Date;
}

/** Undoes all of a person's likes of existing posts and updates the counts of the posts. */
export async function undoLikes(db: Kysely<Tables>, personId: string, now: Date): Promise<UndoneLike[]> {
  const { rows } = await sql<UndoneLike>`
    with undone as (
      update post_likes l set undone_at = ${now} from posts p
      where l.person_id = ${personId} and l.undone_at is null and p.id = l.post_id and p.deleted_at is null
      returning l.post_id, l.liked_at
    )
    update posts set like_count = like_count - 1 from undone where posts.id = undone.post_id
    returning posts.creator_id, posts.duplicate, undone.liked_at`.execute(db);
  return rows;
}
