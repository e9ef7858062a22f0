import { type Kysely, sql } from 'kysely';

/** Substring search of tags has its own index: the one it shares with people also returns all people whose names match. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists search_entries_tag_names on search_entries using gin (names gin_trgm_ops) where kind = 'tag'`.execute(
    db,
  );
}
