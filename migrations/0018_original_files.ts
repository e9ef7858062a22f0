import { type Kysely, sql } from 'kysely';

/** The file that a video was made smaller from before it was sent, as whoever sent it says; null where it is the original. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table resumable_uploads add column original_sha256 bytea`.execute(db);
  await sql`alter table uploads add column original_sha256 bytea`.execute(db);
  await sql`alter table reels add column original_sha256 bytea`.execute(db);
}
