import { type Kysely, sql } from 'kysely';

/** How far the processing of a reel is, in percent, for its owner; null as long as it is unknown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reels add column progress smallint`.execute(db);
}
