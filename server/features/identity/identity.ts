import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { refuseSuspended, signUpVouchedFor } from '../accounts/accounts.ts';
import { openSession } from '../accounts/sessions.ts';
import { readIdToken, refused, type Vouched } from './id-token.ts';
import * as queries from './identity.queries.ts';
import type { Issuer } from './issuer.ts';
import { spendNonce } from './nonces.ts';

/** Checks an ID token and uses up its nonce: the same token is refused ever after. */
export async function vouchedBy(
  { db, clock }: Context<'db' | 'clock'>,
  issuer: Issuer,
  idToken: string,
): Promise<Vouched> {
  const now = clock();
  const vouched = await readIdToken(issuer, idToken, now);
  if (!(await spendNonce(db, vouched.nonce, now))) throw refused();
  return vouched;
}

/**
 * Opens a session for whom the issuer vouches. Somebody new gets an account, unless their address has one already: sign-up
 * verifies no address, so whoever holds that account is not known to be them.
 */
export async function signInVouchedFor(
  { db, clock }: Context<'db' | 'clock'>,
  vouched: Vouched,
): Promise<{ personId: string; token: string; isNew: boolean }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    await queries.waitFor(trx, vouched);
    const known = await queries.findIdentity(trx, vouched);
    if (known) refuseSuspended(known);
    const personId = known?.person_id ?? (await signUpVouchedFor(trx, vouched, now));
    if (!personId) {
      throw new Refusal(
        'email_taken',
        'This email already has an account here. Log in with its password first, then link Google on the login page.',
      );
    }
    if (!known && !(await queries.insertIdentity(trx, vouched, personId, now)))
      throw new Error('an identity that was free is not');
    return { personId, token: await openSession(trx, personId, now, vouched.issuer), isNew: !known };
  });
}

/** Ties an identity to an account whose owner is signed in. The same twice is one. */
export async function linkIdentity(
  { db, clock }: Context<'db' | 'clock'>,
  personId: string,
  vouched: Vouched,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await queries.waitFor(trx, vouched);
    if (await queries.insertIdentity(trx, vouched, personId, clock())) return;
    const holder = await queries.findIdentity(trx, vouched);
    if (holder?.person_id === personId) return;
    throw new Refusal(
      'identity_taken',
      holder
        ? 'This Google account is already linked to another account.'
        : 'Your account is already linked to another Google account.',
    );
  });
}

/** Whether somebody signed in at this issuer is this person. */
export async function isLinked(db: Kysely<Tables>, personId: string, issuer: string): Promise<boolean> {
  return (await queries.findIdentityOf(db, personId, issuer)) !== undefined;
}
