import { type Kysely, sql } from 'kysely';

/** Why the publication of a reel pays nothing (docs/decisions/0055-what-a-month-pays.md); null for all others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table reels add column unpaid text check (unpaid in ('too_short', 'still'))`.execute(db);
}
