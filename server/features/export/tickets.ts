import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, notSignedIn, Refusal } from '#server/platform/refusal.ts';
import { hashOfToken, newToken } from '#server/platform/secrets.ts';
import * as queries from './tickets.queries.ts';

const minute = 60_000;
const goodFor = 5 * minute;
const perHour = 6;

/**
 * Creates a ticket for a download. It is valid once and for five minutes, because a browser that downloads gigabytes
 * to a file cannot send a token. Only its hash is stored.
 */
export async function openTicket(
  { db, clock }: Context<'db' | 'clock'>,
  personId: string,
): Promise<{ ticket: string; expiresAt: Date }> {
  const now = clock();
  const ticket = newToken();
  await inTransaction(db, async (trx) => {
    if (!(await queries.lockPerson(trx, personId))) throw notSignedIn();
    const anHourAgo = new Date(now.getTime() - 60 * minute);
    await queries.deleteBefore(trx, personId, anHourAgo);
    if ((await queries.countSince(trx, personId, anHourAgo)) >= perHour) {
      throw new Refusal('too_many_requests', { what: 'downloads', times: perHour });
    }
    await queries.insert(trx, hashOfToken(ticket), personId, now);
  });
  return { ticket, expiresAt: new Date(now.getTime() + goodFor) };
}

/** Uses up a ticket and returns its person. */
export async function takeTicket({ db, clock }: Context<'db' | 'clock'>, ticket: string): Promise<string> {
  const now = clock();
  const personId = await queries.take(db, hashOfToken(ticket), new Date(now.getTime() - goodFor), now);
  if (!personId) throw notFound('download');
  return personId;
}
