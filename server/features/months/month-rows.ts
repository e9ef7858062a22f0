import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { MonthCounts } from '#contract/earning-rules.ts';
import type { FoundMark } from '#contract/operators.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Result } from './money.ts';

/** A creator's month: its counts, and its result once it is closed and counted. */
export interface MonthRow {
  month: string;
  counts: MonthCounts;
  result: Result | undefined;
}

/** A creator's months, each with its result, for the conditions in `where`. */
const monthsWhere = (where: RawBuilder<unknown>) => sql<
  MonthCounts & { month: string; result: StoredResult | null }
>`
  select m.month, m.reels, m.posts, m.stories, m.views, m.likes, to_jsonb(r) as result
  from creator_months m left join month_results r on r.creator_id = m.creator_id and r.month = m.month
  where ${where} order by m.month`;

type StoredResult = Selectable<Tables['month_results']>;

const asMonth = ({
  month,
  result,
  ...counts
}: MonthCounts & { month: string; result: StoredResult | null }) => ({
  month,
  counts,
  result: result ? asResult(result) : undefined,
});

export const asResult = (row: StoredResult): Result => ({
  counts: { reels: row.reels, posts: row.posts, stories: row.stories, views: row.views, likes: row.likes },
  paid: {
    reels: row.paid_reels,
    posts: row.paid_posts,
    stories: row.paid_stories,
    views: row.paid_views,
    likes: row.paid_likes,
  },
  accounts: row.accounts,
  accountViews: row.account_views,
  coins: row.coins,
  paise: row.paise,
  mayBeCarried: row.may_be_carried,
});

/** A creator's months with any activity, newest first. */
export async function listMonths(db: Kysely<Tables>, creatorId: string): Promise<MonthRow[]> {
  const { rows } = await monthsWhere(sql`m.creator_id = ${creatorId} and (
    m.reels + m.posts + m.stories + m.views + m.likes > 0
    or exists (select from adjustments a where a.creator_id = ${creatorId} and a.counts_in = m.month and a.coins <> 0))`).execute(
    db,
  );
  return rows.map(asMonth).reverse();
}

/** These months of a creator that have a row, oldest first. */
export async function findMonths(
  db: Kysely<Tables>,
  creatorId: string,
  months: readonly string[],
): Promise<MonthRow[]> {
  const { rows } = await monthsWhere(
    sql`m.creator_id = ${creatorId} and m.month = any(${months}::text[])`,
  ).execute(db);
  return rows.map(asMonth);
}

/** The results of these months of a creator. */
export async function findResults(
  db: Kysely<Tables>,
  creatorId: string,
  months: readonly string[],
): Promise<Map<string, Result>> {
  const rows = await db
    .selectFrom('month_results')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where(sql<boolean>`month = any(${months}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.month, asResult(row)]));
}

/** Those of these months that have marks, once for each mark, by month and mark. */
export async function listMarked<Asked extends { creatorId: string; month: string }>(
  db: Kysely<Tables>,
  asked: readonly Asked[],
): Promise<(Asked & { mark: FoundMark })[]> {
  const { rows } = await sql<{ position: number; mark: FoundMark }>`
    select position::int, mark
    from unnest(${asked.map(({ creatorId }) => creatorId)}::uuid[], ${asked.map(({ month }) => month)}::text[])
      with ordinality asked(creator_id, month, position)
    join month_results r on r.creator_id = asked.creator_id and r.month = asked.month
    cross join jsonb_array_elements(r.marks) mark
    order by r.month, mark ->> 'mark'`.execute(db);
  return rows.flatMap(({ position, mark }) => {
    const month = asked[position - 1];
    return month ? [{ ...month, mark }] : [];
  });
}

/** The average coins of the creator's months before these, by id; months without any activity do not count. */
export async function usualCoins(
  db: Kysely<Tables>,
  before: readonly { id: string; creator_id: string; month: string }[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; coins: number }>`
    select asked.id, avg(r.coins)::float8 as coins
    from unnest(${before.map(({ id }) => id)}::uuid[], ${before.map((row) => row.creator_id)}::uuid[],
      ${before.map(({ month }) => month)}::text[]) asked(id, creator_id, month)
    join month_results r on r.creator_id = asked.creator_id and r.month < asked.month
      and r.reels + r.posts + r.stories + r.views + r.likes > 0
    group by asked.id`.execute(db);
  return new Map(rows.map(({ id, coins }) => [id, coins]));
}

/**
 * Reads a creator's months up to this one and locks them, oldest first, so that requests which may take the same month are handled one after
 * another. All transactions about money lock rows in this order: batches, withdrawals, people, `creator_months`, `months`; within a table by
 * creator and then by month. The exception is a batch of views, which locks `months` first: it takes a shared lock, with which only the closing
 * of a month conflicts, and the closing never locks the current month.
 */
export async function lockMonths(
  trx: Transaction<Tables>,
  creatorId: string,
  month: string,
): Promise<MonthRow[]> {
  await keepTablesInPlace(trx);
  await trx
    .selectFrom('creator_months')
    .select('month')
    .where('creator_id', '=', creatorId)
    .where('month', '<=', month)
    .orderBy('month')
    .forNoKeyUpdate()
    .execute();
  const { rows } = await monthsWhere(sql`m.creator_id = ${creatorId} and m.month <= ${month}`).execute(trx);
  return rows.map(asMonth);
}

/** Views and likes of all of a creator's months. */
export function sumOfMonths(db: Kysely<Tables>, creatorId: string) {
  return db
    .selectFrom('creator_months')
    .select([
      sql<number>`coalesce(sum(views), 0)::bigint`.as('views'),
      sql<number>`coalesce(sum(likes), 0)::bigint`.as('likes'),
    ])
    .where('creator_id', '=', creatorId)
    .executeTakeFirstOrThrow();
}
