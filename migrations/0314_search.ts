import { type Kysely, sql } from 'kysely';

/**
 * What is searched (docs/decisions/0092-search.md). Nothing here says what is public: every query of it joins the works and the people as
 * they are now. Words and tags go with the last work or person that has them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table search_entries (
      id uuid primary key,
      kind text not null check (kind in ('reel', 'post', 'person', 'tag')),
      -- the names of a person or tag, of which any part is searched
      names text not null,
      -- of a work by weight: A its own words, B its categories, D what is said in it
      words tsvector not null,
      -- as of the last ranking: watched views of a reel, followers of a person, works of a tag
      popularity integer not null default 0,
      -- whether it is among the first of its kind, which are searched before all others
      is_top boolean not null default false
    ) with (fillfactor = 80);
    create index search_entries_names on search_entries using gin (names gin_trgm_ops) where kind in ('person', 'tag');

    create table tags (
      id uuid primary key,
      key text not null unique
    );

    create table work_tags (
      tag_id uuid not null references tags on delete cascade,
      kind text not null check (kind in ('reel', 'post')),
      work_id uuid not null,
      -- as the work writes it
      label text not null,
      primary key (tag_id, kind, work_id)
    );
    create index work_tags_of_work on work_tags (work_id);

    -- Every word of a work or name, by which misspelt ones are corrected.
    create table search_words (
      key text primary key,
      word text not null
    );
    create index search_words_alike on search_words using gin (key gin_trgm_ops)`.execute(db);
  for (const kind of ['reel', 'post', 'person', 'tag'])
    await sql`
      create index ${sql.id(`search_entries_${kind}_top`)} on search_entries using gin (words)
        where kind = ${sql.lit(kind)} and is_top;
      create index ${sql.id(`search_entries_${kind}_rest`)} on search_entries using gin (words)
        where kind = ${sql.lit(kind)} and not is_top`.execute(db);
}
