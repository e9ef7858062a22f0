import type { Kysely, Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { hashOfToken, newToken } from '#server/platform/secrets.ts';
import * as queries from './links.queries.ts';

/** How long a link in a mail works, in milliseconds. */
const goodFor = 60 * 60 * 1000;

/** Makes the secret of a link by which a new password can be chosen, once. It is stored only as a hash. */
export async function makeLink(
  db: Kysely<Tables>,
  { personId, emailKey }: { personId: string; emailKey: string },
  now: Date,
): Promise<string> {
  const secret = newToken();
  await queries.insertLink(db, {
    token_hash: hashOfToken(secret),
    person_id: personId,
    purpose: 'reset',
    email_key: emailKey,
    created_at: now,
    expires_at: new Date(now.getTime() + goodFor),
  });
  return secret;
}

/** Whose link it is; undefined for one that is unknown, used or too old. */
export async function findLink(db: Kysely<Tables>, secret: string, now: Date) {
  return await queries.findLink(db, hashOfToken(secret), now);
}

/** Uses up all links of a person. Part of the transaction that does what one of them is for. */
export async function spendLinks(trx: Transaction<Tables>, personId: string): Promise<void> {
  await queries.deleteLinksOf(trx, personId);
}

export async function deleteExpiredLinks({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteLinksBefore(db, clock());
}
