import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { hashOfToken, newToken } from '#server/platform/secrets.ts';
import * as queries from './identity.queries.ts';

/** How long somebody may take at the issuer, in milliseconds. */
const goodFor = 10 * 60_000;

/** A nonce for one sign-in, known to every server on this database, stored only as a hash. */
export async function giveNonce({ db, clock }: Context<'db' | 'clock'>): Promise<string> {
  const now = clock();
  const nonce = newToken();
  await queries.deleteExpiredNonces(db, now);
  await queries.insertNonce(db, hashOfToken(nonce), new Date(now.getTime() + goodFor));
  return nonce;
}

/** Whether this nonce is one of ours, in time and not used before. It is used up by asking. */
export function spendNonce(db: Kysely<Tables>, nonce: string, now: Date): Promise<boolean> {
  return queries.deleteNonce(db, hashOfToken(nonce), now);
}
