import { type Kysely, sql } from 'kysely';
import { firstMonth } from '#contract/financial-year.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { countWaiting, type Waiting } from '#server/platform/database/waiting.ts';
import { attemptsOfW, paidPaiseOf, paymentsOf, type WithdrawalRow } from './withdrawals.queries.ts';

export interface ReviewRow extends WithdrawalRow {
  name: string | null;
  username: string | null;
  email: string | null;
  suspended_at: Date | null;
  joined_at: Date | null;
}

interface ReviewFilter {
  state?: WithdrawalRow['state'] | undefined;
  month?: string | undefined;
  ids?: readonly string[];
}

/** What was paid to a creator in a year; the name is null once the account is deleted. */
export interface YearRow {
  creator_id: string;
  name: string | null;
  username: string | null;
  payments: number;
  paise: number;
  last_paid_at: Date;
}

/** What was paid to each creator in a financial year; the most recently paid comes first. */
export async function listPaidInYear(
  db: Kysely<Tables>,
  { year, timeZone }: { year: number; timeZone: string },
  limit: number,
  after: Cursor | undefined,
): Promise<YearRow[]> {
  const begin = (of: number) =>
    sql`make_timestamp(${of}::int, ${sql.lit(firstMonth)}, 1, 0, 0, 0) at time zone ${timeZone}`;
  const { rows } = await sql<YearRow>`
    select paid.*, p.name, p.username from (
      select creator_id, ${paymentsOf} as payments, ${paidPaiseOf(sql.ref('t.paise'))} as paise, max(posted_at) as last_paid_at
      from ledger_transactions t join withdrawals w on w.id = t.withdrawal_id
      where step in ('completed', 'returned') and posted_at >= ${begin(year)} and posted_at < ${begin(year + 1)}
      group by creator_id
    ) paid
    left join people p on p.id = creator_id
    where ${after?.at ?? null}::timestamptz is null
      or (last_paid_at, creator_id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid)
    order by last_paid_at desc, creator_id desc limit ${limit}`.execute(db);
  return rows;
}

/** A pending withdrawal without an open attempt. */
export interface PayableRow extends WithdrawalRow {
  name: string;
  username: string;
  email: string;
  next_attempt: number;
}

interface Payable {
  month: string | undefined;
  ids: readonly string[] | undefined;
}

/** Pending withdrawals of people who are not suspended, without an open attempt, oldest first, after the cursor. */
export async function listPayable(
  db: Kysely<Tables>,
  { month, ids }: Payable,
  limit: number,
  after: Cursor | undefined,
): Promise<PayableRow[]> {
  const { rows } = await sql<PayableRow>`
    select w.*, p.name, p.username, p.email,
      coalesce((select max(number) ${attemptsOfW}), 0) + 1 as next_attempt
    from withdrawals w join people p on p.id = w.creator_id
    where w.state = 'pending' and p.suspended_at is null
      and (${month ?? null}::text is null or w.month = ${month ?? null})
      and (${ids ?? null}::uuid[] is null or w.id = any(${ids ?? null}::uuid[]))
      and not exists (
        select ${attemptsOfW}
          and a.state in ('prepared', 'exported', 'sent', 'unknown', 'paid')
      )
      and (${after?.at ?? null}::timestamptz is null
        or (w.requested_at, w.id) > (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by w.requested_at, w.id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Withdrawals of all creators with the account, by which risk marks are found: pending ones oldest first, all others newest first.
 */
export async function list(
  db: Kysely<Tables>,
  which: ReviewFilter,
  limit: number,
  after: Cursor | undefined,
): Promise<ReviewRow[]> {
  const [order, further] = which.state === 'pending' ? [sql``, sql`>`] : [sql`desc`, sql`<`];
  const filters = [
    sql`true`,
    ...(which.state ? [sql`state = ${which.state}`] : []),
    ...(which.month ? [sql`month = ${which.month}`] : []),
    ...(which.ids ? [sql`id = any(${which.ids}::uuid[])`] : []),
    ...(after ? [sql`(requested_at, id) ${further} (${after.at}, ${after.id})`] : []),
  ];
  const { rows } = await sql<ReviewRow>`
    select w.*, p.name, p.username, p.email, p.suspended_at, p.created_at as joined_at
    from (
      select * from withdrawals where ${sql.join(filters, sql` and `)}
      order by requested_at ${order}, id ${order} limit ${limit}
    ) w
    left join people p on p.id = w.creator_id
    order by w.requested_at ${order}, w.id ${order}`.execute(db);
  return rows;
}

/** Undecided withdrawals, and since when the oldest waits. */
export const countPendingWithdrawals = (db: Kysely<Tables>): Promise<Waiting> =>
  countWaiting(db, sql`select requested_at as at from withdrawals where state = 'pending'`);
