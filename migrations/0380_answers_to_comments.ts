import { type Kysely, sql } from 'kysely';

/**
 * The first comment of the thread that an answer belongs to. It is no foreign key: a thread keeps its answers together, and its place in
 * the list, when that comment is deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reel_comments add column thread_id uuid`.execute(db);
  // The order of the list: the newest thread first, and in each the oldest comment first.
  await sql`
    create index if not exists reel_comments_threads on reel_comments (reel_id, coalesce(thread_id, id) desc, id)`.execute(
    db,
  );
}
