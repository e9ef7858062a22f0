import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function findSetting(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** All settings with this prefix. */
export function findSettings(db: Kysely<Tables>, prefix: string) {
  return db.selectFrom('settings').select(['name', 'value']).where('name', 'like', `${prefix}%`).execute();
}

/** If several processes store it in parallel, the first one wins. */
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

/** Takes the exclusive lock of months until this transaction ends: waits for all holders of the shared one. */
export async function lockClosing(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('closed month', 0))`.execute(trx);
}

/** Takes the shared lock. */
export async function lockOpen(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('closed month', 0))`.execute(trx);
}

export async function deleteSetting(db: Kysely<Tables>, name: string): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', name).execute();
}
