import type { Kysely, Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { notSignedIn, Refusal } from '#server/platform/refusal.ts';
import { foldCase } from '../people/fold-case.ts';
import * as queries from './accounts.queries.ts';
import * as changes from './email-changes.queries.ts';
import { goodFor, linkOver, spendLinks } from './links.ts';
import { mailOff } from './mail-off.ts';

/**
 * Sends a link to a new address, which replaces the old one when the link is followed. The response does not reveal whether another account
 * has the address: in that case no mail is sent.
 */
export async function changeEmail(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  personId: string,
  email: string,
): Promise<void> {
  if (!outbox.isOn) throw mailOff();
  const now = clock();
  const emailKey = foldCase(email);
  await inTransaction(db, async (trx) => {
    const person = await queries.lockAddress(trx, personId);
    if (!person) throw notSignedIn();
    await changes.deletePendingOf(trx, personId);
    // Requesting the current address cancels a pending change.
    if (person.email_key === emailKey) return;
    await changes.insert(trx, {
      id: newId(now),
      person_id: personId,
      email,
      email_key: emailKey,
      old_email: person.email,
      old_email_key: person.email_key,
      created_at: now,
      changed_at: null,
      expires_at: new Date(now.getTime() + goodFor.change),
    });
    if (!(await outbox.requestMail(trx, { template: 'change', email, personId }, now)))
      throw new Refusal('too_many_requests', { what: 'later' });
  });
}

/** Changes the address to the one whose link was followed. If the old one was verified, it can undo this for a week. */
export async function finishChange(
  trx: Transaction<Tables>,
  { outbox }: Pick<Context<'outbox'>, 'outbox'>,
  { personId, emailKey }: { personId: string; emailKey: string },
  now: Date,
): Promise<void> {
  const change = await changes.findPending(trx, { personId, emailKey }, now);
  const person = await queries.lockAddress(trx, personId);
  if (!change || !person) throw linkOver();
  await changes.lockAddresses(trx, person.email_key, emailKey);
  if ((await queries.isEmailTaken(trx, emailKey)) || (await changes.isKept(trx, emailKey, now, personId)))
    throw new Refusal('email_taken', { what: 'sign_up' }, 'email');
  await queries.setAddress(trx, personId, { email: change.email, email_key: emailKey }, now);
  await spendLinks(trx, personId, ['reset', 'verify', 'change']);
  if (person.email_verified_at)
    await changes.markChanged(trx, change, now, new Date(now.getTime() + goodFor.undo));
  else await changes.deleteChange(trx, change);
  await outbox.sendNotice(
    trx,
    personId,
    { act: 'email_changed', to: { email: person.email, isProven: person.email_verified_at !== null } },
    now,
  );
}

/** Restores the old address of the account. Changes made since, even pending ones, are deleted, as they may be the attacker's. */
export async function undoChange(
  trx: Transaction<Tables>,
  { outbox }: Pick<Context<'outbox'>, 'outbox'>,
  { personId, emailKey }: { personId: string; emailKey: string },
  now: Date,
): Promise<void> {
  const change = await changes.findDone(trx, { personId, emailKey }, now);
  const person = await queries.lockAddress(trx, personId);
  if (!change?.changed_at || !person) throw linkOver();
  await changes.lockAddresses(trx, person.email_key, emailKey);
  const { old_email: email, changed_at: changedAt } = change;
  await queries.setAddress(trx, personId, { email, email_key: emailKey }, now);
  await changes.deleteSince(trx, personId, changedAt);
  await outbox.sendNotice(
    trx,
    personId,
    { act: 'email_restored', to: { email: person.email, isProven: true } },
    now,
  );
}

/** Whether an account can still get this address back. */
export async function canUndo(
  db: Kysely<Tables>,
  whose: { personId: string; emailKey: string },
  now: Date,
): Promise<boolean> {
  return (await changes.findDone(db, whose, now)) !== undefined;
}
