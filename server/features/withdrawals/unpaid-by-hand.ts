import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

const monthsOf = (row: 'w' | 'earlier') => sql`
  (array(select paid ->> 'month' from jsonb_array_elements(${sql.ref(`${row}.carried`)}) paid) || ${sql.ref(`${row}.month`)}::text)`;

/**
 * For a query about withdrawals `w`: attempts `a` that an operator recorded as failed or returned, of `w` or of an earlier request for one of
 * its months. What the API of a payer reported is not among them.
 */
const endedByHand = sql`
  withdrawals earlier on earlier.creator_id = w.creator_id and ${monthsOf('earlier')} && ${monthsOf('w')}
  join payout_attempts a on a.creator_id = earlier.creator_id and a.withdrawal_id = earlier.id
    and a.payer is null and a.state in ('failed', 'returned')`;

interface UnpaidByHand {
  withdrawal_id: string;
  /** The operator who recorded it. */
  ended_by: string;
  ended_at: Date;
}

/** Earlier payments of these withdrawals that operators recorded as failed or returned, by withdrawal. */
export async function unpaidByHand(
  db: Kysely<Tables>,
  withdrawals: readonly { id: string }[],
): Promise<Map<string, UnpaidByHand[]>> {
  if (withdrawals.length === 0) return new Map();
  const { rows } = await sql<UnpaidByHand>`
    select w.id as withdrawal_id, a.ended_by, a.ended_at
    from withdrawals w join ${endedByHand}
    where w.id = any(${withdrawals.map(({ id }) => id)}::uuid[])`.execute(db);
  return Map.groupBy(rows, (attempt) => attempt.withdrawal_id);
}

interface PaidAgain {
  id: string;
  creator_id: string;
  month: string;
  paise: number;
  /** When the last further payment was prepared. */
  at: Date;
}

/** Withdrawals with a further payment after one that an operator recorded as failed or returned, newest first. */
export async function listPaidAgain(db: Kysely<Tables>, limit: number): Promise<PaidAgain[]> {
  const { rows } = await sql<PaidAgain>`
    select w.id, w.creator_id, w.month, w.paise, max(again.prepared_at) as at
    from withdrawals w join ${endedByHand}
    join payout_attempts again on again.creator_id = w.creator_id and again.withdrawal_id = w.id
      and again.state <> 'cancelled' and again.id <> a.id and again.prepared_at >= a.ended_at
    group by w.id, w.creator_id, w.month, w.paise order by at desc, w.id limit ${limit}`.execute(db);
  return rows;
}
