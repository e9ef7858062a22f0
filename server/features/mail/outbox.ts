import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { type Keyring, LostKeyError, UnreadableError } from '#server/platform/keyring/keyring.ts';
import type { SealedColumn } from '#server/platform/keyring/reencryption.ts';
import { noOutbox, type Outbox } from '#server/platform/outbox.ts';
import { foldCase } from '../people/fold-case.ts';
import * as queries from './mails.queries.ts';

const minute = 60 * 1000;
const hour = 60 * minute;
/** Mails an hour to one address, of those that anybody can ask for. */
const askedAtMost = 3;
/** Acts that follow a notice within this time are reported in one mail. */
const bundleFor = 10 * minute;
/** A row stays so long after it is done: by it mails to an address are counted. */
const keptFor = retention.mailDoneHours * hour;

/** Null: of somebody whose account is deleted. */
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
    async tell(trx, personId, { act, values, to }, now) {
      const recipient = to ?? (await queries.findAddress(trx, personId));
      if (recipient === undefined) return;
      const { waiting, last } = await queries.noticesOf(trx, personId);
      const alone = last ? new Date(Math.max(now.getTime(), last.getTime() + bundleFor)) : now;
      await queries.insert(trx, {
        id: newId(now),
        person_id: personId,
        recipient,
        recipient_key: foldCase(recipient),
        template: act,
        parameters: values ? keyring.encrypt(JSON.stringify(values), bindingOf(personId)) : null,
        is_notice: true,
        created_at: now,
        next_try_at: waiting ?? alone,
      });
    },
    async farewell(trx, personId, now) {
      const person = await queries.findVerified(trx, personId);
      if (!person) return;
      const { email, email_key, language } = person;
      for (const { id, parameters } of await queries.lockNotices(trx, personId)) {
        const values = parameters ? await valuesOf(keyring, parameters, personId) : null;
        await queries.leaveToNobody(trx, id, {
          language,
          parameters: values === null ? null : keyring.encrypt(values, bindingOf(null)),
        });
      }
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
    async ask(db, { template, email, personId, codeId, language }, now) {
      const recipientKey = foldCase(email);
      return await inTransaction(db, async (trx) => {
        await queries.lockRecipient(trx, recipientKey);
        const since = new Date(now.getTime() - hour);
        if ((await queries.countAsked(trx, recipientKey, since)) >= askedAtMost) return false;
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

/** Null if their key is lost: that something was done is told without them. */
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

/** Deletes rows that are done and no longer counted. */
export async function deleteOldMails({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteDone(db, new Date(clock().getTime() - keptFor));
}
