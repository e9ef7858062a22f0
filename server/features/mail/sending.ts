import type { FastifyBaseLogger } from 'fastify';
import type { Language } from '#contract/languages.ts';
import { retention } from '#contract/retention.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/platform/context.ts';
import { type Batch, type Delivery, doubling } from '#server/platform/deliveries.ts';
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
  pageAddress,
  type ReportedAct,
} from './compose.ts';
import * as queries from './mails.queries.ts';
import { bindingOf, valuesOf } from './outbox.ts';
import { isNoMailbox, type Transport } from './transport.ts';

export interface MailContext extends Context<'db'> {
  logger: Pick<FastifyBaseLogger, 'warn'>;
  keyring: Pick<Keyring, 'decrypt'>;
  config: Pick<Config, 'timeZone'> & { origin: string };
}

interface DueMail extends Batch {
  rows: readonly [queries.Mail];
  /** It and the notices that are sent with it. */
  bundle: readonly queries.Mail[];
}

const second = 1000;
const hour = 60 * 60 * second;
/** A requested link is useless later, so its mail is dropped soon; a notice is retried for a week. */
const linkExpiresAfter = retention.mailAskedHours * hour;
const noticeExpiresAfter = retention.mailNoticeDays * 24 * hour;

/** The page that the link of a mail opens. */
const pages: Record<Asked, string> = {
  reset: '/ResetPassword',
  verify: '/VerifyEmail',
  change: '/VerifyEmail',
};

/** Sends mails, two at once, so that a slow mail server does not delay all others. */
export function mailDelivery(
  context: MailContext,
  transport: Pick<Transport, 'send'>,
): Delivery<DueMail, NonNullable<queries.Mail['outcome']>> {
  const { db, config, logger } = context;
  return {
    table: 'mails',
    help: 'Mails by how a try to send them ended; dropped: nobody has the address',
    atOnce: 2,
    claimFor: 3 * 60 * second,
    async lockDue(trx, now) {
      const due = await queries.lockDue(trx, now);
      return due && { rows: [due.lead], bundle: due.bundle };
    },
    async send({ rows: [{ id, recipient }], bundle }, now) {
      const composed = await compose(context, bundle, now);
      if (!composed) return 'dropped';
      const { host } = new URL(config.origin);
      await transport.send({ ...composed, to: recipient, messageId: `<${id}@${host}>` });
      return 'sent';
    },
    failed(error, { rows: [{ id, template }] }) {
      logger.warn({ err: error, id, template }, 'a mail was not sent');
      return isNoMailbox(error) || error instanceof LostKeyError ? 'given_up' : undefined;
    },
    pauseAfter: doubling(10 * second, 15 * 60 * second),
    lifetimeOf: ({ is_notice }) => (is_notice ? noticeExpiresAfter : linkExpiresAfter),
    end: (ids, outcome, now) => queries.markDone(db, ids, outcome, now),
  };
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
    const acts: ReportedAct[] = [];
    for (const { person_id, template, parameters, created_at } of mails) {
      const values = parameters ? await valuesOf(keyring, parameters, person_id) : null;
      acts.push({ act: template as Act, values: values ? JSON.parse(values) : {}, at: created_at });
    }
    const whose = person && { personId: person.id, emailKey: lead.recipient_key };
    const undoes =
      whose && acts.some(({ act }) => act === 'email_changed') && (await canUndo(db, whose, now))
        ? pageAddress(origin, reader, pages.reset, await makeLink(db, { ...whose, purpose: 'undo' }, now))
        : undefined;
    return composeNotices(acts, reader, { origin, timeZone, undoes });
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
