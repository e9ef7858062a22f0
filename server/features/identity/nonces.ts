import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import * as queries from './identity.queries.ts';

/** How long somebody may take at the issuer, in milliseconds. */
const goodFor = 10 * 60_000;

/** A nonce for one sign-in, known to every server on this database, stored only as a hash. */
export async function giveNonce(db: Kysely<Tables>, now: Date): Promise<string> {
  const nonce = randomBytes(32).toString('base64url');
  await queries.deleteExpiredNonces(db, now);
  await queries.insertNonce(db, hashOf(nonce), new Date(now.getTime() + goodFor));
  return nonce;
}

/** Whether this nonce is one of ours, in time and not used before. It is used up by asking. */
export function spendNonce(db: Kysely<Tables>, nonce: string, now: Date): Promise<boolean> {
  return queries.deleteNonce(db, hashOf(nonce), now);
}

function hashOf(nonce: string): Buffer {
  return createHash('sha256').update(nonce).digest();
}
