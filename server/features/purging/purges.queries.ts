import { type Insertable, type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';

export async function insert(db: Kysely<Tables>, row: Insertable<Tables['purges']>) {
  await db.insertInto('purges').values(row).execute();
}

/** Claims the purge that has been due for longest, until `again`. */
export function claimDue(
  db: Kysely<Tables>,
  now: Date,
  again: (row: { created_at: Date; tries: number }) => Date,
) {
  return inTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('purges')
      .selectAll()
      .where('done_at', 'is', null)
      .where('next_try_at', '<=', now)
      .orderBy('next_try_at')
      .orderBy('id')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!row) return undefined;
    const tries = row.tries + 1;
    await trx
      .updateTable('purges')
      .set({ tries, next_try_at: again({ ...row, tries }) })
      .where('id', '=', row.id)
      .execute();
    return { ...row, tries };
  });
}

export async function markDone(db: Kysely<Tables>, id: string, now: Date) {
  await db.updateTable('purges').set({ done_at: now }).where('id', '=', id).execute();
}

export async function deleteDone(db: Kysely<Tables>, before: Date) {
  await db.deleteFrom('purges').where('done_at', '<', before).execute();
}

/** Number of waiting purges, and the time of the oldest. */
export async function waiting(db: Kysely<Tables>) {
  return await db
    .selectFrom('purges')
    .select([sql<number>`count(*)::integer`.as('count'), sql<Date | null>`min(created_at)`.as('since')])
    .where('done_at', 'is', null)
    .executeTakeFirstOrThrow();
}
