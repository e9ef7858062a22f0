import { type Kysely, sql, type Transaction } from 'kysely';
import type { MonthCounts } from '#contract/rates.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';

/** The changes of one creator's month, to add or to subtract; never negative. */
export interface MonthChange extends Partial<MonthCounts> {
  creatorId: string;
  /** YYYY-MM of the business time zone. */
  month: string;
  /** Rows of single views. */
  viewRows?: number;
}

/**
 * Thrown if an event at the end of a month would be stored after the month was settled. Past months never change (decisions §4): a retry
 * counts in the new month.
 */
export class MonthSettled extends Refusal {
  constructor() {
    super('month_settled', 'The month has just ended. Please try again.');
  }
}

/** Adds to creators' months, in the transaction of the events (decisions §4). Rows are locked in a fixed order, to avoid deadlocks. */
export async function addToMonths(trx: Transaction<Tables>, changes: readonly MonthChange[]): Promise<void> {
  if (changes.length === 0) return;
  const ordered = changes.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  const column = (name: keyof MonthCounts | 'viewRows') =>
    sql<number[]>`${ordered.map((change) => change[name] ?? 0)}::bigint[]`;
  const { rows } = await sql`
    insert into creator_months as m (creator_id, month, reels, posts, stories, views, likes, view_rows)
    select * from unnest(
      ${ordered.map((change) => change.creatorId)}::uuid[], ${ordered.map((change) => change.month)}::text[],
      ${column('reels')}, ${column('posts')}, ${column('stories')}, ${column('views')}, ${column('likes')},
      ${column('viewRows')})
    on conflict (creator_id, month) do update set
      reels = m.reels + excluded.reels, posts = m.posts + excluded.posts, stories = m.stories + excluded.stories,
      views = m.views + excluded.views, likes = m.likes + excluded.likes, view_rows = m.view_rows + excluded.view_rows
      where m.settled_at is null
    returning 1`.execute(trx);
  if (rows.length < ordered.length) throw new MonthSettled();
}

/** The rows of single views in these months, in their order. */
export async function countViewRows(
  db: Kysely<Tables>,
  months: readonly { creatorId: string; month: string }[],
): Promise<number[]> {
  const { rows } = await sql<{ view_rows: number }>`
    select coalesce(m.view_rows, 0) as view_rows
    from unnest(${months.map((one) => one.creatorId)}::uuid[], ${months.map((one) => one.month)}::text[])
      with ordinality asked(creator_id, month, number)
    left join creator_months m on m.creator_id = asked.creator_id and m.month = asked.month order by number`.execute(
    db,
  );
  return rows.map(({ view_rows }) => view_rows);
}

/** Subtracts from a creator's month, in the transaction that undoes the events. */
export async function subtractFromMonth(
  trx: Transaction<Tables>,
  { creatorId, month, ...counts }: Omit<MonthChange, 'viewRows'>,
): Promise<void> {
  const result = await trx
    .updateTable('creator_months')
    .set((eb) => ({
      reels: eb('reels', '-', counts.reels ?? 0),
      posts: eb('posts', '-', counts.posts ?? 0),
      stories: eb('stories', '-', counts.stories ?? 0),
      views: eb('views', '-', counts.views ?? 0),
      likes: eb('likes', '-', counts.likes ?? 0),
    }))
    .where('creator_id', '=', creatorId)
    .where('month', '=', month)
    .where('settled_at', 'is', null)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) throw new MonthSettled();
}

function order(change: MonthChange): string {
  return `${change.creatorId} ${change.month}`;
}
