import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import * as queries from './unpaid-by-hand.queries.ts';

export const listPaidAgain = queries.listPaidAgain;

/** Earlier payments of these withdrawals that operators recorded as failed or returned, by withdrawal. */
export async function unpaidByHand(
  db: Kysely<Tables>,
  withdrawals: readonly { id: string }[],
): Promise<Map<string, queries.UnpaidByHand[]>> {
  if (withdrawals.length === 0) return new Map();
  return Map.groupBy(await queries.listUnpaidByHand(db, withdrawals), (attempt) => attempt.withdrawal_id);
}
