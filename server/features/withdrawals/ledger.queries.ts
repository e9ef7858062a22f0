import { type Kysely, sql } from 'kysely';
import { firstMonth } from '#contract/financial-year.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import type { LedgerAccount, Tables } from '#server/platform/database/tables.ts';

export interface EntryRow {
  id: string;
  step: Tables['ledger_transactions']['step'];
  attempt: number;
  debit: LedgerAccount;
  credit: LedgerAccount;
  paise: number;
  posted_at: Date;
  withdrawal_id: string;
  month: string;
  creator_id: string;
  /** Null once the account is deleted. */
  username: string | null;
  /** Null if no operator performed it, or if the operator's account is deleted. */
  posted_by: string | null;
}

export interface EntryFilters {
  creatorId?: string | undefined;
  step?: EntryRow['step'] | undefined;
  /** YYYY-MM, in which it was posted. */
  month?: string | undefined;
  /** A financial year, by the year in which it begins. */
  year?: number | undefined;
  timeZone: string;
}

interface Portion {
  limit: number;
  after: Cursor | undefined;
  /** Newest first, unless it is an export. */
  isOldestFirst?: boolean;
}

/** Reads the entries first and then what belongs to each, so that the cost depends on the page. */
const withNames = (entries: ReturnType<typeof sql>, order: ReturnType<typeof sql>) => sql<EntryRow>`
  select t.id, t.step, t.attempt, t.debit, t.credit, t.paise, t.posted_at, t.withdrawal_id, w.month, w.creator_id, p.username,
    o.username as posted_by
  from (${entries}) t join withdrawals w on w.id = t.withdrawal_id
  left join people p on p.id = w.creator_id left join people o on o.id = t.posted_by
  order by t.posted_at ${order}, t.id ${order}`;

/** The condition for the entries `t` that match. */
function matching({ creatorId, step, month, year, timeZone }: EntryFilters) {
  const at = (date: ReturnType<typeof sql>) => sql`(${date})::timestamp at time zone ${timeZone}`;
  const begin = (of: number) => at(sql`make_date(${of}::int, ${sql.lit(firstMonth)}, 1)`);
  const first = sql`(${month}::text || '-01')::date`;
  return [
    sql`true`,
    ...(creatorId
      ? [sql`t.withdrawal_id in (select id from withdrawals where creator_id = ${creatorId}::uuid)`]
      : []),
    ...(step ? [sql`t.step = ${step}`] : []),
    ...(month
      ? [sql`t.posted_at >= ${at(first)} and t.posted_at < ${at(sql`${first} + interval '1 month'`)}`]
      : []),
    ...(year === undefined ? [] : [sql`t.posted_at >= ${begin(year)} and t.posted_at < ${begin(year + 1)}`]),
  ];
}

export async function listEntries(
  db: Kysely<Tables>,
  filters: EntryFilters,
  { limit, after, isOldestFirst = false }: Portion,
): Promise<EntryRow[]> {
  const [order, further] = isOldestFirst ? [sql``, sql`>`] : [sql`desc`, sql`<`];
  const conditions = [
    ...matching(filters),
    ...(after ? [sql`(t.posted_at, t.id) ${further} (${after.at}, ${after.id}::uuid)`] : []),
  ];
  const entries = sql`
    select t.* from ledger_transactions t where ${sql.join(conditions, sql` and `)}
    order by t.posted_at ${order}, t.id ${order} limit ${limit}`;
  return (await withNames(entries, order).execute(db)).rows;
}

/** Whether more entries match than this. */
export async function hasMoreEntries(
  db: Kysely<Tables>,
  filters: EntryFilters,
  than: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from ledger_transactions t where ${sql.join(matching(filters), sql` and `)} offset ${than} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** The entries of the withdrawal of this entry, oldest first. */
export async function listOfSameWithdrawal(
  db: Kysely<Tables>,
  id: string,
  limit: number,
): Promise<EntryRow[]> {
  const entries = sql`
    select t.* from ledger_transactions one join ledger_transactions t using (withdrawal_id)
    where one.id = ${id} order by t.posted_at, t.id limit ${limit}`;
  return (await withNames(entries, sql``).execute(db)).rows;
}
