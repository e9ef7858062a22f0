import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notSignedIn, Refusal } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import * as queries from './accounts.queries.ts';
import { findLink, linkOver, spendLinks } from './links.ts';
import { mailOff } from './mail-off.ts';

/** Sends a link to one's own address that proves it. */
export async function sendVerification(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  personId: string,
): Promise<void> {
  if (!outbox.isOn) throw mailOff();
  const person = await queries.findAddress(db, personId);
  if (!person) throw notSignedIn();
  if (person.email_verified_at) return;
  if (!(await outbox.ask(db, { template: 'verify', email: person.email }, clock())))
    throw new Refusal('too_many_requests', 'Too many tries. Please try again later.');
}

/**
 * Proves an address by a link that was sent to it. Only in a session of the account that the password opened: whoever reads the
 * mail of an address that somebody else signed up with does not make that account theirs.
 */
export async function verifyEmail(
  { db, clock }: Context<'db' | 'clock'>,
  secret: string,
  caller: Caller,
): Promise<void> {
  const now = clock();
  const link = await findLink(db, { secret, purpose: 'verify' }, now);
  if (!link) throw linkOver();
  if (link.person_id !== caller.id)
    throw new Refusal('not_yours', 'This link is for another account. Please log in to that one.');
  if (caller.session.issuer !== null)
    throw new Refusal('password_needed', 'Please log in with your password, and then open the link again.');
  await inTransaction(db, async (trx) => {
    const person = await queries.lockAddress(trx, caller.id);
    const current = await findLink(trx, { secret, purpose: 'verify' }, now);
    if (!person || !current || current.email_key !== person.email_key) throw linkOver();
    await spendLinks(trx, caller.id, 'verify');
    if (!person.email_verified_at) await queries.setVerified(trx, caller.id, now);
  });
}
