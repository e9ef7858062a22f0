import { type Kysely, sql } from 'kysely';

/** Progress of a reel's processing in percent, for its owner; null if unknown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reels add column progress smallint`.execute(db);
}
