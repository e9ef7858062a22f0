import { type Kysely, sql } from 'kysely';
import { categories, categoryOf } from '../../../contract/categories.ts';
import type { Tables } from '../../platform/database/tables.ts';

/** The 42 categories, each with its picture and how many public reels it holds. */
export async function countCategories(db: Kysely<Tables>) {
  const rows = await db.selectFrom('category_counts').selectAll().execute();
  const counts = new Map(rows.map((row) => [row.category, row.reels]));
  return categories.map(({ id, name, group }) => ({
    id,
    name,
    image: categoryOf(id)?.image ?? '',
    group,
    count: counts.get(id) ?? 0,
  }));
}

/** Moves the counts of some categories; part of the transaction that makes a reel public or takes it away. */
export async function addToCategories(db: Kysely<Tables>, ids: readonly string[], by: 1 | -1): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into category_counts as c (category, reels)
    select id, ${sql.lit(Math.max(by, 0))} from unnest(${ids.toSorted()}::text[]) as id
    on conflict (category) do update set reels = c.reels + ${sql.lit(by)}`.execute(db);
}
