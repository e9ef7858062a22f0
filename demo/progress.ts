import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** Whether a step of the demo is recorded as done. */
export async function hasHappened(db: Kysely<Tables>, step: string): Promise<boolean> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', `demo ${step}`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function note(db: Kysely<Tables>, step: string, value = ''): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name: `demo ${step}`, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The value recorded with a step; undefined if it was not done. */
export async function noted(db: Kysely<Tables>, step: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', `demo ${step}`)
    .executeTakeFirst();
  return row?.value;
}
