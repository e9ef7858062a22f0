import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

const name = 'mail';

export async function putMail(db: Kysely<Tables>, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export async function findMail(db: Kysely<Tables>): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}
