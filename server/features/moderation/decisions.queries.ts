import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insert(trx: Transaction<Tables>, row: Insertable<Tables['decisions']>): Promise<void> {
  await trx.insertInto('decisions').values(row).execute();
}

export function findByKey(db: Kysely<Tables>, key: string) {
  return db.selectFrom('decisions').selectAll().where('key', '=', key).executeTakeFirst();
}

/** Ends what is in force against a work or an account. */
export async function end(trx: Transaction<Tables>, targetId: string, now: Date): Promise<void> {
  await trx
    .updateTable('decisions')
    .set({ ended_at: now })
    .where('target_id', '=', targetId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ids of people whose suspension is over. */
export async function listOverdue(db: Kysely<Tables>, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('decisions')
    .select('person_id')
    .where('until', '<=', now)
    .where('ended_at', 'is', null)
    .orderBy('until')
    .limit(limit)
    .execute();
  return rows.map(({ person_id: id }) => id);
}

/** Whether a suspension that is in force has passed its end. */
export async function isOverdue(db: Kysely<Tables>, personId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`select from decisions
    where person_id = ${personId} and until <= ${now} and ended_at is null limit 1`.execute(db);
  return rows.length > 0;
}

export async function deleteOld(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('decisions').where('decided_at', '<', before).execute();
}
