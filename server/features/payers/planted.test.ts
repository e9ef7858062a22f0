import { createHmac } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { dumpOf } from '#testing/models/database-dump.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { enrolOperator } from '#testing/servers/operators.ts';
import { type PayoutStatus, type StandInPayout, startRazorpayx } from '#testing/servers/razorpayx.ts';
import { type Person, signUpSomebody } from '#testing/servers/test-server.ts';
import { makeBackup } from '../backup/backup.ts';
import type { ApiPayer } from '../payer-services/payer.ts';
import { apiPayerOf } from '../payer-services/payers.ts';
import { makeBatch, sendBatch } from './batches.ts';
import { claimNext, payOne } from './paying.ts';

/* The payer's API repeats destinations in responses and webhooks. Nothing else that the site writes may contain them in full. */
const destinations = [
  { kind: 'bank', account: '998877665544332', ifsc: 'HDFC0001234', name: 'Asha Rao' },
  { kind: 'upi', vpa: 'planted.asha@okaxis' },
] as const;
const planted = ['998877665544332', 'planted.asha@okaxis', '7878780080316316'];
const month = '2020-01';
const minute = 60_000;

const log: string[] = [];
const found = new Map<string, string>();
let razorpayx: Awaited<ReturnType<typeof startRazorpayx>>;
let mailing: Awaited<ReturnType<typeof startMailingServer>>;
beforeAll(async () => {
  razorpayx = await startRazorpayx();
  mailing = await startMailingServer(razorpayx.settings, { log });
  await live();
  const { server, smtp } = mailing;
  await mailing.sendAll();
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-planted-'));
  await makeBackup(server, join(folder, 'backup'), undefined, server.now.value);
  found.set('a dump', await dumpOf(server.db, { schemas: ['public', 'pgboss'] }));
  found.set('a backup', await everythingIn(join(folder, 'backup')));
  found.set('the log', log.join('\n'));
  found.set('the metrics', await server.metrics.text());
  found.set(
    'the mails',
    smtp.mails.map(({ subject, text, html }) => `${subject}\n${text}\n${html}`).join('\n'),
  );
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await mailing.close();
  await razorpayx.close();
});

/** Two payments that fail, are paid again, and are returned; the payer repeats their destinations wherever it can. */
async function live(): Promise<void> {
  const { server } = mailing;
  server.now.value = new Date();
  const ravi = await signUpSomebody(server, 'Ravi');
  await enrolOperator(server, ravi);
  const operator = { id: ravi.id, name: ravi.username };
  for (const destination of destinations) await creatorPaidAt(destination);
  for (const statuses of [['failed'], ['processed', 'reversed']] as const) {
    const { _id: id, payments } = await makeBatch(server.context, operator, {});
    expect(payments).toHaveLength(destinations.length);
    await sendBatch(server.context, operator, { id, again: false });
    const echo = { status: 401, body: JSON.stringify({ error: { description: planted.join(' and ') } }) };
    for (const at of ['/v1/contacts', '/v1/fund_accounts', '/v1/payouts'] as const) {
      razorpayx.faults.push({ at, answer: echo });
      await look();
    }
    await look();
    for (const payment of payments)
      for (const status of statuses) await tell(razorpayx.of(payment._id), status);
    await look();
  }
}

async function creatorPaidAt(destination: (typeof destinations)[number]): Promise<Person> {
  const { server } = mailing;
  const creator = await signUpSomebody(server, 'Creator');
  const email_verified_at = new Date(0);
  await server.db.updateTable('people').set({ email_verified_at }).where('id', '=', creator.id).execute();
  const url = '/api/payout/destination';
  const { headers } = creator;
  const answer = await server.inject({ method: 'PUT', url, payload: destination, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  const held = server.db.updateTable('payout_destinations').where('person_id', '=', creator.id);
  await held.set({ held_until: null }).execute();
  await requestedWithdrawal(server, creator.id, month);
  return creator;
}

/** Polls the payer about everything that is due after an hour. */
async function look(): Promise<void> {
  const { context, now, app } = mailing.server;
  now.value = new Date(now.value.getTime() + 60 * minute);
  const payer = apiPayerOf(context.config.payouts) as ApiPayer;
  const warn = (err: unknown, which: object) => app.log.warn({ err, ...which }, 'as the worker logs it');
  for (let one = await claimNext(context, payer); one; one = await claimNext(context, payer))
    await payOne(context, payer, one, warn);
}

/** A webhook with everything that the payer knows about the payment. */
async function tell(payout: StandInPayout, status: PayoutStatus): Promise<void> {
  razorpayx.move(payout, status, status === 'processed' ? '' : `The bank refused ${planted.join(', ')}.`);
  const { given } = razorpayx.fundAccounts.find(({ id }) => id === payout.fund_account_id) ?? {};
  const entity = { ...payout, fund_account: JSON.parse(given ?? '{}'), notes: planted };
  expect(JSON.stringify(entity)).toMatch(/998877665544332.*planted\.asha@okaxis/);
  const payload = JSON.stringify({ event: `payout.${status}`, payload: { payout: { entity } } });
  const secret = razorpayx.settings.RAZORPAYX_WEBHOOK_SECRET;
  const headers = {
    'content-type': 'application/json',
    'x-razorpay-signature': createHmac('sha256', secret).update(payload).digest('hex'),
  };
  const url = '/api/payouts/webhook/razorpayx';
  expect((await mailing.server.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(200);
  // A webhook with a wrong signature is logged without its content.
  const forged = { ...headers, 'x-razorpay-signature': '00'.repeat(32) };
  expect((await mailing.server.inject({ method: 'POST', url, payload, headers: forged })).statusCode).toBe(
    401,
  );
}

/** All files of a folder, decompressed. */
async function everythingIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    });
  return (await Promise.all(texts)).join('\n');
}

/** Text that must be found, which proves that the right data is searched. */
const known = {
  'a dump': 'The bank refused …, …',
  'a backup': 'The bank refused ',
  'the log': 'as the worker logs it',
  'the metrics': 'jhalak_payouts_open',
  'the mails': 'The bank refused …, …',
};

describe.each(Object.entries(known))('%s', (where, words) => {
  it('contains the report about the payment', () => {
    expect(found.get(where)).toContain(words);
  });

  it('contains no account number and no UPI id', () => {
    for (const secret of planted)
      for (const form of [
        secret,
        ...(['hex', 'base64', 'base64url'] as const).map((as) =>
          Buffer.from(secret).toString(as).replace(/=+$/, ''),
        ),
      ])
        expect(found.get(where)?.includes(form), `${secret} as ${form}`).toBe(false);
  });
});

it('the payer has them, and received each payment once', () => {
  const given = JSON.stringify(razorpayx.fundAccounts);
  expect(planted.slice(0, 2).filter((one) => given.includes(one))).toHaveLength(2);
  expect(razorpayx.payouts.size).toBe(2 * destinations.length);
});
