import { type Kysely, sql } from 'kysely';

/** Keeps the cost of a view and of a search independent of the size of the site (docs/decisions/0020-kept-answers.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Rows with counters leave free space on their page, so that updates are HOT and change no index. Applies to pages written from now on.
  for (const table of ['reels', 'posts', 'people', 'reel_months', 'creator_months', 'category_counts'])
    await sql`alter table ${sql.table(table)} set (fillfactor = 80)`.execute(db);

  // Exact matches, newest first; and prefixes of name and username.
  await sql`create index if not exists people_name on people (lower(name) text_pattern_ops, created_at desc, id desc)`.execute(
    db,
  );
  await sql`create index if not exists people_username on people (username_key text_pattern_ops)`.execute(db);
}
