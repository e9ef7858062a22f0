import { type Kysely, sql } from 'kysely';

/** Tags with a part of a name are found without reading the people who have it in theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists search_entries_tag_names on search_entries using gin (names gin_trgm_ops) where kind = 'tag'`.execute(
    db,
  );
}
