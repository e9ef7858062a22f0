import type { Language } from '#contract/languages.ts';
import { retention } from '#contract/retention.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { Keyring } from '#server/platform/keyring/keyring.ts';
import { LostKeyError } from '#server/platform/keyring/keyring.ts';
import type { Act, Asked } from '#server/platform/outbox.ts';
import { canUndo } from '../accounts/email-change.ts';
import { makeLink } from '../accounts/links.ts';
import { makeCode } from '../confirmation/mail-code.ts';
import {
  type Composed,
  composeAsked,
  composeCode,
  composeNotices,
  type Done,
  pageAddress,
} from './compose.ts';
import * as queries from './mails.queries.ts';
import { bindingOf, valuesOf } from './outbox.ts';
import { isNoMailbox, type Transport } from './transport.ts';

export interface MailContext extends Context<'db' | 'clock'> {
  keyring: Pick<Keyring, 'decrypt'>;
  config: Pick<Config, 'timeZone'> & { origin: string };
}

type Outcome = 'sent' | 'dropped' | 'failed' | 'given_up';

const second = 1000;
const hour = 60 * 60 * second;
/** Longer than one delivery may take. After this time another worker retries the mail of a killed one. */
const claimDuration = 3 * 60 * second;
const [firstPause, longestPause] = [10 * second, 15 * 60 * second];
/** A requested link is useless later, so its mail is dropped soon; a notice is retried for a week. */
const linkExpiresAfter = retention.mailAskedHours * hour;
const noticeExpiresAfter = retention.mailNoticeDays * 24 * hour;

/** The page that the link of a mail opens. */
const pages: Record<Asked, string> = {
  reset: '/ResetPassword',
  verify: '/VerifyEmail',
  change: '/VerifyEmail',
};

/** Sends the mail that has been due for longest; undefined if none is due. */
export async function sendNext(
  context: MailContext,
  transport: Pick<Transport, 'send'>,
  warn: (error: unknown, mail: { id: string; template: string }) => void,
): Promise<Outcome | undefined> {
  const { db, clock, config } = context;
  const now = clock();
  const mails = await queries.claimDue(db, now, new Date(now.getTime() + claimDuration));
  // Not always the oldest: the notice of a deleted account is sent at once and bundles the pending ones.
  const lead = mails.find(({ id, bundle_id }) => bundle_id === null || bundle_id === id);
  if (!lead) return undefined;
  const { id, template, recipient, is_notice, created_at } = lead;
  try {
    const composed = await compose(context, mails, now);
    if (composed) {
      const { host } = new URL(config.origin);
      await transport.send({ ...composed, to: recipient, messageId: `<${id}@${host}>` });
    }
    const outcome = composed ? 'sent' : 'dropped';
    await queries.markDone(db, id, outcome, now);
    return outcome;
  } catch (error) {
    warn(error, { id, template });
    const isTooOld =
      now.getTime() - created_at.getTime() > (is_notice ? noticeExpiresAfter : linkExpiresAfter);
    if (isTooOld || isNoMailbox(error) || error instanceof LostKeyError) {
      await queries.markDone(db, id, 'given_up', now);
      return 'given_up';
    }
    const pause = Math.min(firstPause * 2 ** (lead.tries - 1), longestPause);
    await queries.tryAgain(db, id, new Date(now.getTime() + pause));
    return 'failed';
  }
}

/** Undefined if nobody has the address any more; a notice is sent anyway. */
async function compose(
  { db, keyring, config }: MailContext,
  mails: readonly queries.Mail[],
  now: Date,
): Promise<Composed | undefined> {
  const [lead] = mails;
  if (!lead) return undefined;
  const person = await queries.findRecipient(db, lead);
  const { origin, timeZone } = config;
  const reader = { language: ((person?.language ?? lead.language) as Language | null) ?? 'en' };
  if (lead.is_notice) {
    const done: Done[] = [];
    for (const { person_id, template, parameters, created_at } of mails) {
      const values = parameters ? await valuesOf(keyring, parameters, person_id) : null;
      done.push({ act: template as Act, values: values ? JSON.parse(values) : {}, at: created_at });
    }
    const whose = person && { personId: person.id, emailKey: lead.recipient_key };
    const undoes =
      whose && done.some(({ act }) => act === 'email_changed') && (await canUndo(db, whose, now))
        ? pageAddress(origin, reader, pages.reset, await makeLink(db, { ...whose, purpose: 'undo' }, now))
        : undefined;
    return composeNotices(done, reader, { origin, timeZone, undoes });
  }
  if (!person) return undefined;
  if (lead.template === 'confirm_code') {
    const { codeId } = JSON.parse(
      await keyring.decrypt(lead.parameters ?? Buffer.of(), bindingOf(person.id)),
    );
    const code = await makeCode(db, codeId, now);
    return code === undefined ? undefined : composeCode(code, reader, origin);
  }
  // Each try makes a new link, and all of them stay valid, since it is unknown which copy of the mail arrives.
  const purpose = lead.template as Asked;
  const emailKey = purpose === 'change' ? lead.recipient_key : person.email_key;
  if (purpose === 'change' && (await queries.isTaken(db, emailKey))) return undefined;
  const secret = await makeLink(db, { personId: person.id, emailKey, purpose }, now);
  const url = pageAddress(origin, reader, pages[purpose], secret);
  return composeAsked(purpose, reader, { origin, url });
}
