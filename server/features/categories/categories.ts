import { type Kysely, sql, type Transaction } from 'kysely';
import { categories, categoryOf } from '#contract/categories.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** Published reels of each category, of people who are suspended or of all others. */
const publishedReels = (which: 'suspended' | 'others') => sql<{ category: string; reels: number }>`
  select category, count(*)::int as reels
  from people p join works w on w.creator_id = p.id, unnest(w.categories) as category
  where w.kind = 'reel' and w.published_at is not null
    and ${which === 'suspended' ? sql`p.suspended_at is not null` : sql`p.suspended_at is null`}
  group by category`;

/**
 * The 42 categories with their pictures and numbers of public reels. The table also counts reels of suspended people. They are subtracted when it is
 * read, so that a suspension does not change it.
 */
export async function countCategories(db: Kysely<Tables>) {
  const { rows } = await sql<{ category: string; reels: number }>`
    select category, c.reels - coalesce(hidden.reels, 0) as reels
    from category_counts c left join (${publishedReels('suspended')}) hidden using (category)`.execute(db);
  const counts = new Map(rows.map((row) => [row.category, row.reels]));
  return categories.map(({ id, name, group }) => ({
    id,
    name,
    image: categoryOf(id)?.image ?? '',
    group,
    count: counts.get(id) ?? 0,
  }));
}

/** Subtracts from the counts of several categories at once. */
export async function subtractFromCategories(
  db: Kysely<Tables>,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  if (counts.size === 0) return;
  const ids = [...counts.keys()];
  await sql`
    with locked as (
      select category from category_counts where category = any(${ids}::text[]) order by category for no key update
    )
    update category_counts as c set reels = c.reels - taken.reels
    from unnest(${ids}::text[], ${[...counts.values()]}::int[]) as taken (category, reels)
    join locked using (category)
    where c.category = taken.category`.execute(db);
}

/** Adds to the counts of categories, in the transaction that publishes or hides a reel. */
export async function addToCategories(
  trx: Transaction<Tables>,
  ids: readonly string[],
  by: 1 | -1,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into category_counts as c (category, reels)
    select id, ${sql.lit(Math.max(by, 0))} from unnest(${ids.toSorted()}::text[]) as id
    on conflict (category) do update set reels = c.reels + ${sql.lit(by)}`.execute(trx);
}

/** The categories with the displayed count and, for comparison, a fresh count of public reels. */
export async function recountCategories(db: Kysely<Tables>) {
  const { rows } = await publishedReels('others').execute(db);
  const reels = new Map(rows.map((row) => [row.category, row.reels]));
  return (await countCategories(db)).map(({ id, name, group, count }) => ({
    id,
    name,
    group,
    count,
    reels: reels.get(id) ?? 0,
  }));
}
