import { type Kysely, sql } from 'kysely';

/** The comment that a comment answers; an answer to an answer belongs to the same one. If it is deleted, its answers stand alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table reel_comments add column parent_id uuid references reel_comments on delete set null`.execute(
    db,
  );
  await sql`
    create index if not exists reel_comments_by_parent on reel_comments (parent_id) where parent_id is not null`.execute(
    db,
  );
  // The order of the list: the newest comment first, and below each its answers, oldest first.
  await sql`
    create index if not exists reel_comments_threads on reel_comments (reel_id, coalesce(parent_id, id) desc, id)`.execute(
    db,
  );
}
