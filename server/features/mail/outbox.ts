import type { Transaction } from 'kysely';
import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { type Keyring, LostKeyError, UnreadableError } from '#server/platform/keyring/keyring.ts';
import type { SealedColumn } from '#server/platform/keyring/reencryption.ts';
import { noOutbox, type Outbox } from '#server/platform/outbox.ts';
import { foldCase } from '../people/fold-case.ts';
import * as queries from './mails.queries.ts';

const minute = 60 * 1000;
const hour = 60 * minute;
/**
 * Mails an hour to one address of each kind. Each kind is counted separately, so that strangers use up nothing that the owner of an account
 * asks for: anybody can ask for a new password for an address, and anybody who is signed in for a change to it; only the account that has
 * the address asks for its verification and its codes.
 */
const atMost = 3;
/** Acts that follow a notice within this time are reported in one mail. */
const bundleFor = 10 * minute;
/** Rows are stored this long after they are done, to count the mails to an address. */
const keptFor = retention.mailDoneHours * hour;

/** Null: the account is deleted. */
export const bindingOf = (personId: string | null) => ({ personId: personId ?? '', kind: 'mail' });

export const mailParameters: SealedColumn = {
  kind: bindingOf(null).kind,
  lockBeginning: queries.lockParameters,
  write: queries.writeParameters,
};

export function openOutbox(keyring: Pick<Keyring, 'encrypt' | 'decrypt'>, isOn: boolean): Outbox {
  if (!isOn) return noOutbox;
  return {
    isOn,
    async sendNotice(trx, personId, { act, values, to }, now) {
      const recipient = to ?? (await queries.findAddress(trx, personId));
      if (recipient === undefined) return;
      const recipientKey = foldCase(recipient.email);
      if (!recipient.isProven && !(await mayWrite(trx, { personId, recipientKey }, now))) return;
      const { waiting, last } = await queries.noticesOf(trx, personId);
      const alone = last ? new Date(Math.max(now.getTime(), last.getTime() + bundleFor)) : now;
      await queries.insert(trx, {
        id: newId(now),
        person_id: personId,
        recipient: recipient.email,
        recipient_key: recipientKey,
        template: act,
        parameters: values ? keyring.encrypt(JSON.stringify(values), bindingOf(personId)) : null,
        is_notice: true,
        created_at: now,
        next_try_at: waiting ?? alone,
      });
    },
    async sendDeletionNotice(trx, personId, now) {
      const person = await queries.findVerified(trx, personId);
      if (!person) return await queries.keepCounted(trx, personId, now);
      const { email, email_key, language } = person;
      for (const { id, parameters } of await queries.lockNotices(trx, personId)) {
        const values = parameters ? await valuesOf(keyring, parameters, personId) : null;
        await queries.leaveToNobody(trx, id, {
          language,
          parameters: values === null ? null : keyring.encrypt(values, bindingOf(null)),
        });
      }
      await queries.keepCounted(trx, personId, now);
      await queries.insert(trx, {
        id: newId(now),
        person_id: null,
        recipient: email,
        recipient_key: email_key,
        template: 'account_deleted',
        parameters: null,
        is_notice: true,
        language,
        created_at: now,
        next_try_at: now,
      });
    },
    async requestMail(db, { template, email, personId, codeId, language }, now) {
      const recipientKey = foldCase(email);
      return await inTransaction(db, async (trx) => {
        await queries.lockRecipient(trx, recipientKey);
        const since = new Date(now.getTime() - hour);
        if ((await queries.countAsked(trx, { recipientKey, template }, since)) >= atMost) return false;
        await queries.insert(trx, {
          id: newId(now),
          person_id: personId ?? null,
          recipient: email,
          recipient_key: recipientKey,
          template,
          parameters:
            personId && codeId ? keyring.encrypt(JSON.stringify({ codeId }), bindingOf(personId)) : null,
          is_notice: false,
          language: language ?? null,
          created_at: now,
          next_try_at: now,
        });
        return true;
      });
    },
  };
}

/** Whether an unverified address may get one more mail, or the notice is bundled into a pending one. */
async function mayWrite(
  trx: Transaction<Tables>,
  whose: { personId: string; recipientKey: string },
  now: Date,
): Promise<boolean> {
  await queries.lockRecipient(trx, whose.recipientKey);
  if (await queries.isWaiting(trx, whose)) return true;
  const since = new Date(now.getTime() - hour);
  return (await queries.countNotices(trx, whose.recipientKey, since)) < atMost;
}

/** Null if the key of the values is lost: the notice is then sent without them. */
export async function valuesOf(
  keyring: Pick<Keyring, 'decrypt'>,
  parameters: Buffer,
  personId: string | null,
) {
  try {
    return await keyring.decrypt(parameters, bindingOf(personId));
  } catch (error) {
    if (error instanceof LostKeyError || error instanceof UnreadableError) return null;
    throw error;
  }
}

/** Drops all pending mails. */
export const dropMails = queries.dropWaiting;

/** Deletes rows that are done and no longer counted. */
export async function deleteOldMails({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteDone(db, new Date(clock().getTime() - keptFor));
}
