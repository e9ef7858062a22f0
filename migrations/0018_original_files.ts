import { type Kysely, sql } from 'kysely';

/** Hash of the original of a video that was compressed before the upload, as its sender claims; null if the upload is the original. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table resumable_uploads add column original_sha256 bytea`.execute(db);
  await sql`alter table uploads add column original_sha256 bytea`.execute(db);
  await sql`alter table reels add column original_sha256 bytea`.execute(db);
}
