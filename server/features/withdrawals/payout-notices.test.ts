import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { earnReleased } from '#testing/fixtures/earnings.ts';
import { payableAt } from '#testing/fixtures/payouts.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { type Person, signUpSomebody } from '#testing/servers/test-server.ts';
import { openOutbox } from '../mail/outbox.ts';
import { addToMonths } from '../month-counts/months.ts';
import { closeMonths } from '../months/closing.ts';
import { completeWithdrawal } from '../payers/by-hand.ts';
import { notifyReady } from './payout-notices.ts';
import { releaseMonth, voidMonth } from './releases.ts';
import { rejectWithdrawal } from './review.ts';

const minute = 60_000;
const month = '2025-10';

let site: Awaited<ReturnType<typeof startMailingServer>>;
beforeAll(async () => {
  site = await startMailingServer();
});
afterAll(() => site.close());

const contextNow = () => ({
  db: site.server.db,
  clock: () => site.server.now.value,
  config: site.server.context.config,
  keyring: site.server.keyring,
  outbox: openOutbox(site.server.keyring, true),
});
/** A creator with a verified address who earned ₹1.00. */
async function creator({ isPayable = true } = {}): Promise<Person> {
  const { server } = site;
  const person = await signUpSomebody(server);
  if (isPayable) await payableAt(server, person.id);
  await earnReleased(server.db, person.id, month);
  const verified = { email_verified_at: server.now.value, language: 'en' };
  await server.db.updateTable('people').set(verified).where('id', '=', person.id).execute();
  return person;
}
const ask = async ({ id, headers }: Person): Promise<string> => {
  const payload = { userId: id, month, totalRupee: '1.00' };
  const answer = await site.server.inject({
    method: 'POST',
    url: '/api/user-earnings/request',
    payload,
    headers,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data._id;
};
const notices = async ({ id }: Person) => {
  const { db } = site.server;
  const rows = await db.selectFrom('notifications').select('kind').where('person_id', '=', id).execute();
  return rows
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'new_device')
    .sort();
};
/** The mails that a person got since the last call. */
async function mailsTo({ email }: Person) {
  const before = site.smtp.mails.length;
  site.server.now.value = new Date(site.server.now.value.getTime() + 20 * minute);
  await site.sendAll(site.server.now.value);
  return site.smtp.mails.slice(before).filter(({ to }) => to.includes(email));
}

describe('each step of a withdrawal is reported once, by notification and mail', () => {
  it('a request that is sent twenty times in parallel', async () => {
    const person = await creator();
    const ids = await Promise.all(Array.from({ length: 20 }, () => ask(person)));
    expect(new Set(ids).size).toBe(1);
    expect(await notices(person)).toEqual(['withdrawal_requested']);
    const mails = await mailsTo(person);
    expect(mails.map(({ subject }) => subject)).toEqual(['You requested a Jhalak withdrawal']);
    expect(mails[0]?.text).toContain('A withdrawal of ₹1.00 for October 2025 was requested.');
    expect(mails[0]?.text).toContain('If that was not you');
  });

  it('a request that waits for a destination, with what the creator has to do', async () => {
    const person = await creator({ isPayable: false });
    await ask(person);
    expect(await notices(person)).toEqual(['destination_needed', 'withdrawal_requested']);
    const [mail] = await mailsTo(person);
    expect(mail?.text).toContain('Your withdrawal waits until you add a UPI id or a bank account.');
  });

  it('the start of the review, once nothing is missing, also if two processes find it in parallel', async () => {
    const person = await creator({ isPayable: false });
    await ask(person);
    await mailsTo(person);
    await notifyReady(contextNow());
    expect(await notices(person)).toEqual(['destination_needed', 'withdrawal_requested']);
    await payableAt(site.server, person.id);
    const heldUntil = new Date(site.server.now.value.getTime() + 72 * 60 * minute);
    await site.server.db
      .updateTable('payout_destinations')
      .set({ held_until: heldUntil })
      .where('person_id', '=', person.id)
      .execute();
    await notifyReady(contextNow());
    expect(await notices(person)).not.toContain('withdrawal_in_review');
    site.server.now.value = heldUntil;
    await Promise.all([notifyReady(contextNow()), notifyReady(contextNow())]);
    await notifyReady(contextNow());
    const told = (await notices(person)).filter((kind) => kind === 'withdrawal_in_review');
    expect(told).toHaveLength(1);
    const mails = await mailsTo(person);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your Jhalak withdrawal is in review']);
    const { data } = (
      await site.server.inject({
        url: `/api/user-earnings/allrequests/${person.id}`,
        headers: person.headers,
      })
    ).json();
    expect(data).toMatchObject([{ payout: 'in_review', readyAt: expect.any(String) }]);
  });

  it('a payment, with its reference, also if two operators record it in parallel', async () => {
    const person = await creator();
    const id = await ask(person);
    await mailsTo(person);
    const decision = { reference: 'UTR 9001', operatorId: null };
    await Promise.all([1, 2, 3].map(() => completeWithdrawal(contextNow(), id, decision)));
    expect(await notices(person)).toEqual(['withdrawal_paid', 'withdrawal_requested']);
    const mails = await mailsTo(person);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your Jhalak withdrawal was paid']);
    expect(mails[0]?.text).toContain('₹1.00 for October 2025 was paid to you, with the reference UTR 9001.');
    expect(mails[0]?.text).toContain('/EarningHistory');
    expect(mails[0]?.text).not.toContain('If that was not you');
  });

  it('a rejection, with its reason, in the language of its reader', async () => {
    const person = await creator();
    const id = await ask(person);
    await mailsTo(person);
    await site.server.db.updateTable('people').set({ language: 'hi' }).where('id', '=', person.id).execute();
    const decision = { reason: 'The name differs.', operatorId: null };
    for (let times = 0; times < 2; times += 1) await rejectWithdrawal(contextNow(), id, decision);
    expect(await notices(person)).toEqual(['withdrawal_rejected', 'withdrawal_requested']);
    const mails = await mailsTo(person);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('अक्टूबर 2025 के लिए ₹1.00 की निकासी का भुगतान नहीं हुआ।');
    expect(mails[0]?.text).toContain('The name differs.');
  });

  it('views that are released or voided, with the reason, once', async () => {
    const { db } = site.server;
    const later = '2025-11';
    const person = await creator();
    await inTransaction(db, (trx) => addToMonths(trx, [{ creatorId: person.id, month: later, views: 1200 }]));
    await closeMonths(contextNow());
    const which = { creatorId: person.id, month: later };
    for (let times = 0; times < 2; times += 1)
      await releaseMonth(contextNow(), which, { reason: 'A new site', operatorId: null });
    for (let times = 0; times < 2; times += 1)
      await voidMonth(contextNow(), { ...which, what: 'waiting' }, { reason: 'A script', operatorId: null });
    expect(await notices(person)).toEqual(['month_released', 'month_void']);
    const text = (await mailsTo(person)).map((mail) => mail.text).join();
    expect(text).toContain('200 views of November 2025 that waited were released. Their 20 coins count');
    expect(text).toContain('The reason: A new site');
    expect(text).toContain('200 views of November 2025 are void');
    expect(text).toContain('The reason: A script');
  });

  it('nothing if nothing changed', async () => {
    const person = await creator({ isPayable: false });
    const id = await ask(person);
    await mailsTo(person);
    const decision = { reference: 'UTR 9002', operatorId: null };
    await expect(completeWithdrawal(contextNow(), id, decision)).rejects.toMatchObject({
      code: 'payout_waits',
    });
    expect(await notices(person)).toEqual(['destination_needed', 'withdrawal_requested']);
    expect(await mailsTo(person)).toEqual([]);
  });
});
