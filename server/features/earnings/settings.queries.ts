import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function findSetting(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** All settings whose names begin like this. */
export function findSettings(db: Kysely<Tables>, prefix: string) {
  return db.selectFrom('settings').select(['name', 'value']).where('name', 'like', `${prefix}%`).execute();
}

/** Of several processes that store it at once, the first one decides. */
export async function insertSetting(db: Kysely<Tables>, name: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function replaceSetting(db: Kysely<Tables>, name: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Waits for all who hold the lock of an open month, until this transaction ends. */
export async function lockClosing(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('closed month', 0))`.execute(trx);
}

/** Holds it together with others. */
export async function lockOpen(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('closed month', 0))`.execute(trx);
}

export async function deleteSetting(db: Kysely<Tables>, name: string): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', name).execute();
}
