import type { Kysely, Transaction } from 'kysely';
import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { hashOfToken, newToken } from '#server/platform/secrets.ts';
import { deleteBefore as deleteChangesBefore } from './email-changes.queries.ts';
import * as queries from './links.queries.ts';

/** The purpose of a link: to reset a password, verify an address, change to a new one, or undo that change. */
export type Purpose = Tables['account_links']['purpose'];

const hour = 60 * 60 * 1000;
/** How long a link in a mail works, in milliseconds. */
export const goodFor: Record<Purpose, number> = {
  reset: retention.resetLinkHours * hour,
  verify: retention.verifyLinkHours * hour,
  change: retention.verifyLinkHours * hour,
  undo: retention.undoLinkDays * 24 * hour,
};

/** Makes the secret of a link, which works once. It is stored only as a hash. */
export async function makeLink(
  db: Kysely<Tables>,
  { personId, emailKey, purpose }: { personId: string; emailKey: string; purpose: Purpose },
  now: Date,
): Promise<string> {
  const secret = newToken();
  await queries.insertLink(db, {
    token_hash: hashOfToken(secret),
    person_id: personId,
    purpose,
    email_key: emailKey,
    created_at: now,
    expires_at: new Date(now.getTime() + goodFor[purpose]),
  });
  return secret;
}

/** The person of the link; undefined if it is unknown, used or expired. */
export async function findLink(
  db: Kysely<Tables>,
  { secret, purposes }: { secret: string; purposes: readonly Purpose[] },
  now: Date,
) {
  return await queries.findLink(db, { tokenHash: hashOfToken(secret), purposes }, now);
}

/** Uses up the links of a person for these purposes, in the same transaction as the action itself. */
export async function spendLinks(
  trx: Transaction<Tables>,
  personId: string,
  purposes: readonly Purpose[],
): Promise<void> {
  await queries.deleteLinksOf(trx, personId, purposes);
}

/** The refusal for a link that is unknown, used or expired. */
export const linkOver = () => new Refusal('link_over', {}, 'token');

export async function deleteExpiredLinks({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  const now = clock();
  await queries.deleteLinksBefore(db, now);
  await deleteChangesBefore(db, now);
}
