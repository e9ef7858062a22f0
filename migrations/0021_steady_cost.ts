import { type Kysely, sql } from 'kysely';

/** What keeps the cost of a view and of a search the same however large the site grows (docs/decisions/0020-kept-answers.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Rows whose counters move all the time leave room beside themselves: the new version of a row then stands on the same
  // page, and none of the table's indexes has to learn where it went. For pages written from now on.
  for (const table of ['reels', 'posts', 'people', 'reel_months', 'creator_months', 'category_counts'])
    await sql`alter table ${sql.table(table)} set (fillfactor = 80)`.execute(db);

  // Who is called exactly so, newest first; whose name or username begins so.
  await sql`create index if not exists people_name on people (lower(name) text_pattern_ops, created_at desc, id desc)`.execute(
    db,
  );
  await sql`create index if not exists people_username on people (username_key text_pattern_ops)`.execute(db);
}
