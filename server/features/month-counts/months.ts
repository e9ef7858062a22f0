import { type Kysely, sql, type Transaction } from 'kysely';
import { type MonthCounts, rules } from '#contract/earning-rules.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
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

/** Thrown if an event would be stored in a month that is closed. Closed months never change (decisions §4): a retry counts in the new month. */
export class MonthClosed extends Refusal {
  constructor() {
    super('month_settled');
  }
}

/**
 * Locks the rows of these months until the transaction ends, and returns those that are closed already. Every change of a month's counts must
 * call it: the closing skips a month whose row is locked.
 */
export async function holdMonths(trx: Transaction<Tables>, months: Iterable<string>): Promise<Set<string>> {
  await keepTablesInPlace(trx);
  const held = [...new Set(months)].sort();
  const hold = async () =>
    (
      await sql<{ month: string; is_closed: boolean }>`
        select month, closed_at is not null as is_closed from months where month = any(${held}::text[]) order by month for share`.execute(
        trx,
      )
    ).rows;
  let rows = await hold();
  if (rows.length < held.length) {
    await insertMonths(trx, held, rules.vouching);
    rows = await hold();
  }
  return new Set(rows.flatMap((row) => (row.is_closed ? row.month : [])));
}

/** The same, but throws if one of these months is closed. */
export async function holdOpenMonths(trx: Transaction<Tables>, months: Iterable<string>): Promise<void> {
  if ((await holdMonths(trx, months)).size > 0) throw new MonthClosed();
}

/** Stores those of these months that are not stored yet, with the limits of the month before. */
async function insertMonths(
  trx: Transaction<Tables>,
  months: readonly string[],
  { viewsPerCreator, viewsInAll }: typeof rules.vouching,
): Promise<void> {
  await sql`
    insert into months (month, views_per_creator, views_in_all)
    select asked.month, coalesce(last.views_per_creator, ${viewsPerCreator}), coalesce(last.views_in_all, ${viewsInAll})
    from unnest(${months}::text[]) asked(month) left join lateral (
      select views_per_creator, views_in_all from months where month < asked.month order by month desc limit 1
    ) last on true
    order by asked.month on conflict do nothing`.execute(trx);
}

/** Adds to creators' months, in the transaction of the events (decisions §4). */
export async function addToMonths(trx: Transaction<Tables>, changes: readonly MonthChange[]): Promise<void> {
  if (changes.length === 0) return;
  await holdOpenMonths(
    trx,
    changes.map(({ month }) => month),
  );
  await addToHeldMonths(trx, changes);
}

/** The same for months that this transaction holds (`holdMonths`) and that are open. Rows are locked in a fixed order, to avoid deadlocks. */
export async function addToHeldMonths(
  trx: Transaction<Tables>,
  changes: readonly MonthChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const ordered = changes.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  const column = (name: keyof MonthCounts | 'viewRows') =>
    sql<number[]>`${ordered.map((change) => change[name] ?? 0)}::bigint[]`;
  await sql`
    insert into creator_months as m (creator_id, month, reels, posts, stories, views, likes, view_rows)
    select * from unnest(
      ${ordered.map((change) => change.creatorId)}::uuid[], ${ordered.map((change) => change.month)}::text[],
      ${column('reels')}, ${column('posts')}, ${column('stories')}, ${column('views')}, ${column('likes')},
      ${column('viewRows')})
    on conflict (creator_id, month) do update set
      reels = m.reels + excluded.reels, posts = m.posts + excluded.posts, stories = m.stories + excluded.stories,
      views = m.views + excluded.views, likes = m.likes + excluded.likes, view_rows = m.view_rows + excluded.view_rows`.execute(
    trx,
  );
}

/** The rows of single views in these months, in their order. */
export async function countViewRows(
  db: Kysely<Tables>,
  asked: readonly { creatorId: string; month: string }[],
): Promise<number[]> {
  const all = (name: 'creatorId' | 'month') => [...new Set(asked.map((one) => one[name]))];
  const { rows } = await sql<{ creatorId: string; month: string; viewRows: number }>`
    select creator_id as "creatorId", month, view_rows as "viewRows" from creator_months
    where creator_id = any(${all('creatorId')}::uuid[]) and month = any(${all('month')}::text[])`.execute(db);
  const keyOf = ({ creatorId, month }: { creatorId: string; month: string }) => `${creatorId} ${month}`;
  const stored = new Map(rows.map((row) => [keyOf(row), row.viewRows]));
  return asked.map((one) => stored.get(keyOf(one)) ?? 0);
}

/** Subtracts from a creator's month, in the transaction that undoes the events. */
export async function subtractFromMonth(
  trx: Transaction<Tables>,
  { creatorId, month, ...counts }: Omit<MonthChange, 'viewRows'>,
): Promise<void> {
  await holdOpenMonths(trx, [month]);
  await trx
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
    .execute();
}

function order(change: MonthChange): string {
  return `${change.creatorId} ${change.month}`;
}
