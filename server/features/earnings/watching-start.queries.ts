import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

const name = 'watched views';

export async function findStart(db: Kysely<Tables>): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Of several processes that start at once, the first one decides. */
export async function insertStart(db: Kysely<Tables>, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function hasPeople(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom('people').select('id').limit(1).executeTakeFirst()) !== undefined;
}
