import type { Kysely } from 'kysely';
import type { Language } from '#contract/languages.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import { proveAddress, refuseSuspended, signUpWithIdentity } from '../accounts/accounts.ts';
import { logIn } from '../accounts/log-in.ts';
import type { From } from '../accounts/places.ts';
import { endSessionsOfIssuer } from '../accounts/sessions.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { type IdentityClaims, readIdToken, refused } from './id-token.ts';
import * as queries from './identity.queries.ts';
import type { Issuer } from './issuer.ts';
import { consumeNonce } from './nonces.ts';

/** Verifies an ID token and consumes its nonce, so that the same token is refused from then on. */
export async function verifyIdentity(
  { db, clock }: Context<'db' | 'clock'>,
  issuer: Issuer,
  idToken: string,
): Promise<IdentityClaims> {
  const now = clock();
  const claims = await readIdToken(issuer, idToken, now);
  if (!(await consumeNonce(db, claims.nonce, now))) throw refused();
  return claims;
}

/**
 * Opens a session for a verified identity. A new identity gets an account, unless its e-mail address has one: sign-up
 * does not verify addresses, so the owner of that account may be another person.
 */
export async function signInWithIdentity(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  claims: IdentityClaims,
  { from, language }: { from: From; language?: Language | undefined },
): Promise<{ personId: string; token: string; isNew: boolean }> {
  const now = context.clock();
  return await inTransaction(context.db, async (trx) => {
    await queries.lockIdentity(trx, claims);
    const known = await queries.findIdentity(trx, claims);
    if (known) await refuseSuspended(trx, { ...known, id: known.person_id });
    const personId = known?.person_id ?? (await signUpWithIdentity(trx, { ...claims, language }, now));
    if (!personId) {
      throw new Refusal('email_taken', { what: 'google' });
    }
    if (known) {
      await queries.setEmail(trx, claims, claims.email);
      await proveAddress(trx, personId, claims.email, now);
    }
    if (!known && !(await queries.insertIdentity(trx, claims, personId, now)))
      throw new Error('an identity that was free is not');
    const token = await logIn(trx, context, { personId, issuer: claims.issuer, from });
    return { personId, token, isNew: !known };
  });
}

/** Links an identity to the account of the caller. Linking the same identity again changes nothing. */
export async function linkIdentity(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  personId: string,
  claims: IdentityClaims,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await queries.lockIdentity(trx, claims);
    const now = clock();
    if (await queries.insertIdentity(trx, claims, personId, now)) {
      await outbox.sendNotice(trx, personId, { act: 'google_linked', values: { email: claims.email } }, now);
      await notifyFromSite(trx, personId, 'google_linked', now);
      return;
    }
    const holder = await queries.findIdentity(trx, claims);
    if (holder?.person_id === personId) return;
    throw new Refusal('identity_taken', holder ? { what: 'other_account' } : { what: 'other_google' });
  });
}

/** The identities that are linked to this person, oldest first. */
export async function listLinked(db: Kysely<Tables>, personId: string) {
  return (await queries.listIdentitiesOf(db, personId)).map(({ issuer, email, linked_at }) => ({
    issuer,
    email,
    linkedAt: linked_at.toISOString(),
  }));
}

/**
 * Unlinks all identities of the caller, and ends the sessions that they opened, except the current one. An account without a password keeps
 * them, since nobody could log in to it.
 */
export async function unlinkIdentities(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  caller: Caller,
): Promise<void> {
  const personId = caller.id;
  await inTransaction(db, async (trx) => {
    if (!(await queries.lockHasPassword(trx, personId))) throw new Refusal('no_password', { what: 'unlink' });
    const now = clock();
    for (const { issuer, email } of await queries.deleteIdentitiesOf(trx, personId)) {
      await endSessionsOfIssuer(trx, caller, issuer);
      await outbox.sendNotice(
        trx,
        personId,
        { act: 'google_unlinked', ...(email ? { values: { email } } : {}) },
        now,
      );
      await notifyFromSite(trx, personId, 'google_unlinked', now);
    }
  });
}

/** Whether an identity of this person. */
export async function isOwnIdentity(
  db: Kysely<Tables>,
  personId: string,
  claims: IdentityClaims,
): Promise<boolean> {
  return (await queries.findIdentity(db, claims))?.person_id === personId;
}

/** Whether the identity of this issuer was linked before a time, or made the account. */
export async function isOldLink(
  db: Kysely<Tables>,
  personId: string,
  issuer: string,
  before: Date,
): Promise<boolean> {
  const link = await queries.findLinkOf(db, personId, issuer);
  return link !== undefined && (link.linked_at <= before || link.linked_at <= link.created_at);
}
