import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from './database/tables.ts';

/** A secret that every server on this database shares, made at first need. */
export async function sharedSecret(db: Kysely<Tables>, name: string): Promise<Buffer> {
  const value = randomBytes(32).toString('hex');
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return Buffer.from(row.value, 'hex');
}
