import type { Kysely } from 'kysely';
import type { PayoutLock as ShownLock } from '#contract/since-restore.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import { Refusal } from '#server/platform/refusal.ts';
import * as queries from './lock.queries.ts';

/* After a restore nobody is paid until the payer's record since the snapshot was compared (docs/decisions/0069-after-a-restore.md). */

/** Locks payouts in the restored database. */
export async function lockPayouts(
  db: Kysely<Tables>,
  { snapshotAt, restoredAt }: { snapshotAt: Date; restoredAt: Date },
): Promise<void> {
  const row = { id: newId(restoredAt), snapshot_at: snapshotAt, restored_at: restoredAt };
  await queries.insertLock(db, row);
}

export interface PayoutLock {
  /** The time of the backup: payments made since then have to be compared. */
  since: Date;
  restoredAt: Date;
  /** Payments in the payer's record that match no withdrawal and that no operator has identified yet. */
  unmatched: number;
}

/** Undefined if payouts are not locked. */
export async function findLock(db: Kysely<Tables>): Promise<PayoutLock | undefined> {
  const row = await queries.findLock(db);
  if (!row) return undefined;
  return {
    since: row.snapshot_at,
    restoredAt: row.restored_at,
    unmatched: await queries.countUnmatched(db),
  };
}

/** As shown to operators. */
export const shownLock = ({ since, restoredAt, unmatched }: PayoutLock): ShownLock => ({
  since: since.toISOString(),
  restoredAt: restoredAt.toISOString(),
  unmatched,
});

export const locked = () => new Refusal('payouts_locked', { what: 'restored' });

export async function mustBeUnlocked(db: Kysely<Tables>): Promise<void> {
  if (await queries.findLock(db)) throw locked();
}
