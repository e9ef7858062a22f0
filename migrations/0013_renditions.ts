import { type Kysely, sql } from 'kysely';

/** What a reel can be watched in: sizes, bit rates and file names; none of reels made before, which have one file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reels add column renditions jsonb not null default '[]'`.execute(db);
}
