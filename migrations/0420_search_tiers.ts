import { type Kysely, sql } from 'kysely';

/**
 * Three tiers of entries instead of two (docs/decisions/0092-search.md). Those that were first stay so until the next ranking, which counts
 * the tiers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table search_entries add column tier smallint not null default 2 check (tier between 0 and 2);
    update search_entries set tier = 0 where is_top;
    alter table search_entries drop column is_top;
    -- Words are found by their beginning, in any database.
    alter table search_words alter column key type text collate "C"`.execute(db);
  for (const kind of ['reel', 'post', 'person', 'tag'])
    for (const tier of [0, 1, 2])
      await sql`
        create index ${sql.id(`search_entries_${kind}_${tier}`)} on search_entries using gin (words)
          where kind = ${sql.lit(kind)} and tier = ${sql.lit(tier)}`.execute(db);
}
