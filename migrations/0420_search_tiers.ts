import { type Kysely, sql } from 'kysely';

/**
 * A tier of entries before the two that exist (docs/decisions/0092-search.md); the next ranking fills it. Words are found by a prefix,
 * whatever the collation of the database is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table search_entries add column is_first boolean not null default false;
    create index if not exists search_entries_reel_first on search_entries using gin (words) where kind = 'reel' and is_first;
    create index if not exists search_entries_post_first on search_entries using gin (words) where kind = 'post' and is_first;
    create index if not exists search_entries_person_first on search_entries using gin (words) where kind = 'person' and is_first;
    create index if not exists search_entries_tag_first on search_entries using gin (words) where kind = 'tag' and is_first;
    create index if not exists search_words_prefix on search_words (key collate "C")`.execute(db);
}
