import { type Kysely, sql } from 'kysely';

/**
 * Forgets publications that nobody but a client has claimed: the hash of what a video is said to be made of. They took
 * the first publication of a file from who has it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from published_files where sha256 in (select original_sha256 from reels where original_sha256 is not null)
      and not exists (select from reels where reels.sha256 = published_files.sha256)`.execute(db);
}
