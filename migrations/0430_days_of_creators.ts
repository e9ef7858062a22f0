import { type Kysely, sql } from 'kysely';

/** The audit reads the counts of a range of creators. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists reel_days_of_creator on reel_days (creator_id)`.execute(db);
}
