import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { firstMonth } from '#contract/financial-year.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export type WithdrawalRow = Selectable<Tables['withdrawals']>;

/** Whether a month is requested, or carried by a request; takes the result of `lastOfMonths`. */
export const isTakenIn =
  (decisive: ReadonlyMap<string, WithdrawalRow>) =>
  (month: string): boolean => {
    const row = decisive.get(month);
    return row !== undefined && row.state !== 'rejected';
  };

/** Reads a person and prevents their deletion until the request is stored. */
export function lockAgainstDeletion(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('people')
    .select(['suspended_at'])
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
}

/** Whether a person is suspended. They cannot be suspended during this transaction. */
export async function isSuspended(db: Kysely<Tables>, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('people')
    .select('suspended_at')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row !== undefined && row.suspended_at !== null;
}

/** Locks a person who is being deleted: no request of theirs can be stored during this transaction. */
export async function lockPerson(db: Kysely<Tables>, id: string): Promise<void> {
  await db.selectFrom('people').select('id').where('id', '=', id).forUpdate().execute();
}

/** Whether a withdrawal is of this month, or carries it. */
const covers = (month: string) =>
  sql<boolean>`(month = ${month} or carried @> ${JSON.stringify([{ month }])}::jsonb)`;

/** For a query about withdrawals `w`: their attempts `a`, found by primary key. */
export const attemptsOfW = sql`from payout_attempts a where a.creator_id = w.creator_id and a.withdrawal_id = w.id`;

/** The pending or completed withdrawal of a month, or the one that carries it. */
export function findCurrent(db: Kysely<Tables>, creatorId: string, month: string) {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where(covers(month))
    .where('state', '<>', 'rejected')
    .executeTakeFirst();
}

export function insertWithdrawal(db: Kysely<Tables>, withdrawal: Insertable<Tables['withdrawals']>) {
  return db.insertInto('withdrawals').values(withdrawal).returningAll().executeTakeFirstOrThrow();
}

export function lockWithdrawal(db: Kysely<Tables>, id: string) {
  return db.selectFrom('withdrawals').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Name of the constraint by which a payer's reference completes only one withdrawal. */
export const referenceConstraint = 'withdrawals_one_reference';

/** Decides a pending withdrawal; one that its creator has cancelled may still have been paid by hand. Throws if it is in another state. */
export function decide(
  db: Kysely<Tables>,
  id: string,
  decision: { state: 'completed'; reference: string } | { state: 'rejected'; reason: string },
  { operatorId, now }: { operatorId: string | null; now: Date },
) {
  return db
    .updateTable('withdrawals')
    .set({ reason: null, ...decision, decided_at: now, decided_by: operatorId })
    .where('id', '=', id)
    .where('state', 'in', decision.state === 'completed' ? ['pending', 'rejected'] : ['pending'])
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Makes a completed withdrawal, whose payment was returned, pending again. */
export function reopen(trx: Transaction<Tables>, id: string) {
  return trx
    .updateTable('withdrawals')
    .set({ state: 'pending', reference: null, decided_at: null, decided_by: null })
    .where('id', '=', id)
    .where('state', '=', 'completed')
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Locks those of these withdrawals that are pending, always in the same order. */
export function lockPending(trx: Transaction<Tables>, ids: readonly string[]) {
  return trx
    .selectFrom('withdrawals')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('state', '=', 'pending')
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Locks the pending withdrawals of a creator, in the same order. */
export function lockPendingOf(trx: Transaction<Tables>, creatorId: string) {
  return trx
    .selectFrom('withdrawals')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('state', '=', 'pending')
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Pending withdrawals that were not ready yet, by id, after this one. */
export function listNotReady(db: Kysely<Tables>, limit: number, after: string | undefined) {
  let query = db
    .selectFrom('withdrawals')
    .selectAll()
    .where('state', '=', 'pending')
    .where('ready_at', 'is', null)
    .orderBy('id')
    .limit(limit);
  if (after) query = query.where('id', '>', after);
  return query.execute();
}

/** False if it was marked before, or is decided. */
export async function markReady(db: Kysely<Tables>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('withdrawals')
    .set({ ready_at: now })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('ready_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function post(db: Kysely<Tables>, transaction: Insertable<Tables['ledger_transactions']>) {
  await db.insertInto('ledger_transactions').values(transaction).execute();
}

/** A creator's withdrawals, newest first, after the cursor. */
export function listOfCreator(
  db: Kysely<Tables>,
  creatorId: string,
  limit: number,
  after: Cursor | undefined,
) {
  let query = db
    .selectFrom('withdrawals')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after) query = query.where(sql<boolean>`(requested_at, id) < (${after.at}, ${after.id})`);
  return query.execute();
}

/** The decisive withdrawal of each month: the pending or completed one, which may carry it, else the newest rejected one. */
export async function lastOfMonths(db: Kysely<Tables>, creatorId: string) {
  const { rows } = await sql<WithdrawalRow & { covered: string }>`
    select distinct on (covered.month) w.*, covered.month as covered from withdrawals w
    cross join lateral (
      select w.month::text union all
      select paid ->> 'month' from jsonb_array_elements(w.carried) paid where w.state <> 'rejected'
    ) covered(month)
    where creator_id = ${creatorId}
    order by covered.month, (state = 'rejected'), requested_at desc, id desc`.execute(db);
  return new Map(rows.map(({ covered, ...row }) => [covered, row]));
}

/** All withdrawals of one month, and those that carry it, oldest first. At most one of them is not rejected. */
export function listOfMonth(db: Kysely<Tables>, creatorId: string, month: string) {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where(covers(month))
    .orderBy('requested_at')
    .orderBy('id')
    .execute();
}

/** The ledger transactions of these withdrawals, oldest first. */
export function listPostings(db: Kysely<Tables>, withdrawalIds: string[]) {
  return (
    db
      .selectFrom('ledger_transactions')
      .selectAll()
      .where('withdrawal_id', 'in', withdrawalIds)
      .orderBy('posted_at')
      // At the same time: a withdrawal is requested before it is decided, and paid before the payment is returned.
      .orderBy(sql<boolean>`step <> 'requested'`)
      .orderBy('attempt')
      .orderBy('step')
      .orderBy('id')
      .execute()
  );
}

/** How many payments were made, and what was paid: a returned payment is subtracted in the year in which it was returned. */
export const paymentsOf = sql<number>`sum(case step when 'completed' then 1 else -1 end)::int`;
export const paidPaiseOf = (paise: unknown) =>
  sql<number>`sum(case step when 'completed' then ${paise} else -${paise} end)::float8`;

/** What was paid to a creator in each financial year, newest first; `year` is the one in which the financial year begins. */
export async function paidByYear(
  db: Kysely<Tables>,
  creatorId: string,
  timeZone: string,
): Promise<{ year: number; payments: number; paidPaise: number }[]> {
  return await db
    .selectFrom('ledger_transactions')
    .innerJoin('withdrawals', 'withdrawals.id', 'withdrawal_id')
    .select((eb) => [
      // Moved back to January, the first month of a financial year is that of a calendar year.
      sql<number>`extract(year from (posted_at at time zone ${timeZone}) - make_interval(months => ${sql.lit(firstMonth - 1)}))::int`.as(
        'year',
      ),
      paymentsOf.as('payments'),
      paidPaiseOf(eb.ref('ledger_transactions.paise')).as('paidPaise'),
    ])
    .where('creator_id', '=', creatorId)
    .where('step', 'in', ['completed', 'returned'])
    .groupBy('year')
    .orderBy('year', 'desc')
    .execute();
}

/** How many requests for this month, or that carry it, their creator cancelled since then. */
export async function countCancelled(
  db: Kysely<Tables>,
  { creatorId, month, since }: { creatorId: string; month: string; since: Date },
): Promise<number> {
  const { cancelled } = await db
    .selectFrom('withdrawals')
    .select((eb) => eb.fn.countAll<number>().as('cancelled'))
    .where('creator_id', '=', creatorId)
    .where(covers(month))
    .where('state', '=', 'rejected')
    .where('decided_by', '=', creatorId)
    .where('decided_at', '>', since)
    .executeTakeFirstOrThrow();
  return cancelled;
}

export async function countPending(db: Kysely<Tables>, creatorId: string): Promise<number> {
  const { pending } = await db
    .selectFrom('withdrawals')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('creator_id', '=', creatorId)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
  return pending;
}
