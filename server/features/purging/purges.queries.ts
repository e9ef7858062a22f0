import type { Insertable, Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insert(db: Kysely<Tables>, row: Insertable<Tables['purges']>) {
  await db.insertInto('purges').values(row).execute();
}

/** Locks the purge that has been due for longest. */
export async function lockDue(trx: Transaction<Tables>, now: Date) {
  return await trx
    .selectFrom('purges')
    .selectAll()
    .where('done_at', 'is', null)
    .where('next_try_at', '<=', now)
    .orderBy('next_try_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .execute();
}
export type PurgeRow = Awaited<ReturnType<typeof lockDue>>[number];

export async function markDone(db: Kysely<Tables>, ids: readonly string[], now: Date) {
  await db.updateTable('purges').set({ done_at: now }).where('id', 'in', ids).execute();
}

export async function deleteDone(db: Kysely<Tables>, before: Date) {
  await db.deleteFrom('purges').where('done_at', '<', before).execute();
}
