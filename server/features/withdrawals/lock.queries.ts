import type { Insertable, Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insertLock(db: Kysely<Tables>, row: Insertable<Tables['payout_locks']>): Promise<void> {
  await db.insertInto('payout_locks').values(row).execute();
}

/** The oldest of the locks that were not lifted. */
export function findLock(db: Kysely<Tables>) {
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
