import type { Transaction } from 'kysely';
import type { z } from 'zod';
import type { forgotPassword as forgotEndpoint, resetForm } from '#contract/password.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { lockPendingOf } from '../withdrawals/payments.ts';
import * as queries from './accounts.queries.ts';
import { undoChange } from './email-change.ts';
import { findLink, linkOver, makeLink, spendLinks } from './links.ts';
import { mailOff } from './mail-off.ts';
import { refuseWeakPassword } from './new-passwords.ts';
import { hashPassword } from './passwords.ts';
import { giveBack, type OtherWaysIn } from './way-back.ts';

/** Sends a link to the person who has an account with this address. The answer is the same for every address. */
export async function forgotPassword(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  { email, language }: z.output<(typeof forgotEndpoint)['body']>,
): Promise<void> {
  if (!outbox.isOn) throw mailOff();
  // More than three requests an hour are dropped silently.
  await outbox.requestMail(db, { template: 'reset', email, language }, clock());
}

/** Makes a password reset link to hand out instead of mailing it. Returns its secret. */
export async function makeResetLink(
  trx: Transaction<Tables>,
  personId: string,
  now: Date,
): Promise<string | undefined> {
  const person = await queries.lockAddress(trx, personId);
  return person && (await makeLink(trx, { personId, emailKey: person.email_key, purpose: 'reset' }, now));
}

/**
 * Replaces the password by a link from a mail, which verifies the address; a link that undoes a change of address restores the old one,
 * too. What that means for the rest of the account is in `way-back.ts`.
 */
export async function resetPassword(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  { token, password }: z.output<typeof resetForm>,
  others: OtherWaysIn,
): Promise<void> {
  const { db, outbox } = context;
  const now = context.clock();
  const link = { secret: token, purposes: ['reset', 'undo'] as const };
  // Checked before the password is hashed, which is expensive.
  const stored = await findLink(db, link, now);
  const owner = stored && (await queries.findOwner(db, stored.person_id));
  if (!owner) throw linkOver();
  // The address after the reset, also if the link undoes a change.
  await refuseWeakPassword(password, { ...owner, email: stored.email_key }, 'password');
  const passwordHash = await hashPassword(password);
  await inTransaction(db, async (trx) => {
    const personId = (await findLink(trx, link, now))?.person_id;
    const pending = personId ? await lockPendingOf(trx, personId) : [];
    const person = personId && (await queries.lockAddress(trx, personId));
    // Checked again after the person is locked: of two parallel requests only one finds the link unused.
    const current = await findLink(trx, link, now);
    if (!personId || !person || !current) throw linkOver();
    const undoes = current.purpose === 'undo';
    if (undoes) await undoChange(trx, { outbox }, { personId, emailKey: current.email_key }, now);
    else if (current.email_key !== person.email_key) throw linkOver();
    // A reset by the new address must not use up the undo links of the old one.
    await spendLinks(
      trx,
      personId,
      undoes ? ['reset', 'verify', 'change', 'undo'] : ['reset', 'verify', 'change'],
    );
    await queries.setPassword(trx, personId, passwordHash);
    await outbox.sendNotice(trx, personId, { act: 'password_reset' }, now);
    const isUnsure = undoes || !person.email_verified_at;
    await giveBack(trx, context, { personId, pending, isUnsure, others }, now);
    if (isUnsure) await queries.setVerified(trx, personId, now);
  });
}
