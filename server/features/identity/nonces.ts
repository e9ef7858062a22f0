import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { hashOfToken, newToken } from '#server/platform/secrets.ts';
import * as queries from './identity.queries.ts';

/** How long a sign-in at the issuer may take, in milliseconds. */
const validFor = 10 * 60_000;

/** Creates a nonce for one sign-in. It is stored as a hash, valid on all servers of this database. */
export async function issueNonce({ db, clock }: Context<'db' | 'clock'>): Promise<string> {
  const now = clock();
  const nonce = newToken();
  await queries.deleteExpiredNonces(db, now);
  await queries.insertNonce(db, hashOfToken(nonce), new Date(now.getTime() + validFor));
  return nonce;
}

/** Consumes a nonce. Returns whether it was issued here, is not expired and was not used before. */
export function consumeNonce(db: Kysely<Tables>, nonce: string, now: Date): Promise<boolean> {
  return queries.deleteNonce(db, hashOfToken(nonce), now);
}
