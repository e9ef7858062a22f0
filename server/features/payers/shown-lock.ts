import type { Kysely } from 'kysely';
import type { PayoutLock as ShownLock } from '#contract/since-restore.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { findOpenLock } from '../withdrawals/payout-lock.ts';
import { countUnmatched } from './unmatched.queries.ts';

export interface PayoutLock {
  /** The time of the backup: payments made since then have to be compared. */
  since: Date;
  restoredAt: Date;
  /** Payments in the payer's record that match no withdrawal and that no operator has identified yet. */
  unmatched: number;
}

/** Undefined if payouts are not locked. */
export async function findLock(db: Kysely<Tables>): Promise<PayoutLock | undefined> {
  const row = await findOpenLock(db);
  if (!row) return undefined;
  return {
    since: row.snapshot_at,
    restoredAt: row.restored_at,
    unmatched: await countUnmatched(db),
  };
}

/** As shown to operators. */
export const shownLock = ({ since, restoredAt, unmatched }: PayoutLock): ShownLock => ({
  since: since.toISOString(),
  restoredAt: restoredAt.toISOString(),
  unmatched,
});
