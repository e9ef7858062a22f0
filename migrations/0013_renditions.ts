import { type Kysely, sql } from 'kysely';

/** Renditions of a reel: sizes, bit rates and file names; empty for older reels, which have one file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reels add column renditions jsonb not null default '[]'`.execute(db);
}
