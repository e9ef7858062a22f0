import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import { Refusal } from '#server/platform/refusal.ts';

/* After a restore nobody is paid until the payer's record since the snapshot was compared (docs/decisions/0069-after-a-restore.md). */

/** Locks payouts in the restored database. */
export async function lockPayouts(
  db: Kysely<Tables>,
  { snapshotAt, restoredAt }: { snapshotAt: Date; restoredAt: Date },
): Promise<void> {
  const row = { id: newId(restoredAt), snapshot_at: snapshotAt, restored_at: restoredAt };
  await db.insertInto('payout_locks').values(row).execute();
}

export const locked = () => new Refusal('payouts_locked', { what: 'restored' });

export async function mustBeUnlocked(db: Kysely<Tables>): Promise<void> {
  if (await findOpenLock(db)) throw locked();
}

/** The oldest of the locks that were not lifted. */
export function findOpenLock(db: Kysely<Tables>) {
  return db
    .selectFrom('payout_locks')
    .select(['snapshot_at', 'restored_at'])
    .where('lifted_at', 'is', null)
    .orderBy('snapshot_at')
    .limit(1)
    .executeTakeFirst();
}

export async function liftLocks(trx: Transaction<Tables>, values: { lifted_at: Date; lifted_by: string }) {
  await trx.updateTable('payout_locks').set(values).where('lifted_at', 'is', null).execute();
}

export const isLocked = async (db: Kysely<Tables>): Promise<boolean> =>
  (await findOpenLock(db)) !== undefined;
