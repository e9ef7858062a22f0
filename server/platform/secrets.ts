import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from './database/tables.ts';

/** What lets its holder in: opaque, random. Whoever gives it out keeps only its hash. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a token; as it is random, its hash needs no salt. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

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
