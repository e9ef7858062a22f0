import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from './database/tables.ts';

/** A random bearer token. The server stores only its hash. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored hash of a token. A random token needs no salt. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A secret that all servers on this database share; created on first use. */
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
