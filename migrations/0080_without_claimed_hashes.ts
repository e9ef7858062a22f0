import { type Kysely, sql } from 'kysely';

/**
 * Deletes publications that only a client has claimed: the hash of the original of a video. Anybody could claim a file and take its first
 * publication from its owner.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from published_files where sha256 in (select original_sha256 from reels where original_sha256 is not null)
      and not exists (select from reels where reels.sha256 = published_files.sha256)`.execute(db);
}
