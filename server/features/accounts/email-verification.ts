import type { Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notSignedIn, Refusal } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import * as queries from './accounts.queries.ts';
import { finishChange } from './email-change.ts';
import { findLink, linkOver, spendLinks } from './links.ts';
import { mailOff } from './mail-off.ts';

/** Sends a verification link to the caller's address. */
export async function sendVerification(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  personId: string,
): Promise<void> {
  if (!outbox.isOn) throw mailOff();
  const person = await queries.findAddress(db, personId);
  if (!person) throw notSignedIn();
  if (person.email_verified_at) return;
  if (!(await outbox.requestMail(db, { template: 'verify', email: person.email }, clock())))
    throw new Refusal('too_many_requests', { what: 'later' });
}

/**
 * Verifies the address of an account, or its new address, by a link that was sent there, in a session of that account. The session must
 * have been opened with the password only for an address from sign-up, since somebody else may have signed up with it. A change was already
 * confirmed when it was requested.
 */
export async function verifyEmail(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  secret: string,
  caller: Caller,
): Promise<void> {
  const { db, outbox } = context;
  const now = context.clock();
  const wanted = { secret, purposes: ['verify', 'change'] as const };
  const link = await findLink(db, wanted, now);
  if (!link) throw linkOver();
  if (link.person_id !== caller.id) throw new Refusal('not_yours', { what: 'link' });
  // An account without a password was made by Google, which has verified the address.
  const isMade = caller.session.issuer === null || (await queries.isWithoutPassword(db, caller.id));
  if (link.purpose === 'verify' && !isMade) throw new Refusal('password_needed');
  await inTransaction(db, async (trx) => {
    const person = await queries.lockAddress(trx, caller.id);
    const current = await findLink(trx, wanted, now);
    if (!person || !current) throw linkOver();
    const emailKey = current.email_key;
    if (current.purpose === 'change')
      await finishChange(trx, { outbox }, { personId: caller.id, emailKey }, now);
    else {
      if (emailKey !== person.email_key) throw linkOver();
      await spendLinks(trx, caller.id, ['verify']);
      if (!person.email_verified_at) await queries.setVerified(trx, caller.id, now);
    }
  });
}

/** Marks the address of an account as verified on behalf of an operator. False if it was verified already. */
export async function markVerified(trx: Transaction<Tables>, personId: string, now: Date): Promise<boolean> {
  const person = await queries.lockAddress(trx, personId);
  if (!person || person.email_verified_at) return false;
  await spendLinks(trx, personId, ['verify']);
  await queries.setVerified(trx, personId, now);
  return true;
}
