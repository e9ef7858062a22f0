import { type Kysely, sql } from 'kysely';

/** Taken-down works are found by the hash of their bytes, and their prints stay (docs/decisions/0065-copies.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists reels_taken_down_bytes on reels (sha256, id)
    where taken_down_at is not null`.execute(db);
  await sql`
    create index if not exists posts_taken_down_bytes on posts (sha256, id)
    where taken_down_at is not null`.execute(db);
  await sql`
    create index if not exists stories_taken_down_bytes on stories (sha256, id)
    where taken_down_at is not null`.execute(db);
  // Also the prints of works that were deleted in this month, except those of copies that no operator has decided about.
  await sql`
    update prints set deleted_at = null from (
      select creator_id, id, taken_down_at from reels
      union all select creator_id, id, taken_down_at from posts
      union all select creator_id, id, taken_down_at from stories
    ) w
    left join copies c on c.creator_id = w.creator_id and c.work_id = w.id
    where prints.deleted_at is not null and w.creator_id = prints.creator_id and w.id = prints.work_id
      and w.taken_down_at is not null
      and (c.decided_at is not null or c.asked_at is distinct from w.taken_down_at)`.execute(db);
}
