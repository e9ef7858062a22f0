import { createHmac } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import { type StandInPayout, startRazorpayx, type Webhook } from '#testing/servers/razorpayx.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { howMany } from '#testing/share.ts';
import { auditLedger } from '../earnings/audit.ts';
import type { ApiPayer, PayerRecord } from '../payer-services/payer.ts';
import { apiPayerOf } from '../payer-services/payers.ts';
import { razorpayx as createRazorpayx, type RazorpayxSettings } from '../payer-services/razorpayx.ts';
import { lockPayouts } from '../withdrawals/payout-lock.ts';
import { claimNext, payOne } from './paying.ts';
import { deleteOldEvents } from './webhook.ts';

/* Paying by the API of RazorpayX (docs/decisions/0068-razorpayx.md), against a stand-in. Tests decide when the payer is polled. */
const minute = 60_000;
const day = 24 * 60 * minute;
const log: string[] = [];
let razorpayx: Awaited<ReturnType<typeof startRazorpayx>>;
let server: TestServer;
let payer: ApiPayer;
let impatient: ApiPayer;
let ravi: Person;
beforeAll(async () => {
  razorpayx = await startRazorpayx();
  // The server runs with the role web, so it does not pay by itself.
  server = await startTestServer({ ROLE: 'web', ...razorpayx.settings }, { log });
  const { payouts } = server.context.config;
  payer = apiPayerOf(payouts) as ApiPayer;
  impatient = createRazorpayx(payouts.razorpayx as RazorpayxSettings, 500);
  ravi = await signUpSomebody(server, 'Ravi');
  await makeOperator(server, ravi.id);
  server.now.value = new Date();
});
afterAll(async () => {
  await server.close();
  await razorpayx.close();
});

/** Attempts of other tests do not become due. */
beforeEach(async () => {
  await server.db.updateTable('payout_attempts').set({ look_at: null }).execute();
});

/** An operator who has just passed the second factor. */
async function post(path: string, payload: object = {}) {
  await server.db
    .updateTable('sessions')
    .set({ factor_at: server.now.value, created_at: server.now.value, used_at: server.now.value })
    .where('person_id', '=', ravi.id)
    .execute();
  return await server.inject({
    method: 'POST',
    url: `/api/operator/${path}`,
    headers: ravi.headers,
    payload,
  });
}

let months = 0;
interface Sent {
  creator: Person;
  withdrawal: string;
  month: string;
  /** The id of the attempt. */
  id: string;
  batch: string;
}
/** A withdrawal in a batch that was sent; the payer was not called yet. */
async function sent(destination?: object): Promise<Sent> {
  months += 1;
  const month = `${1950 + Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
  const creator = await signUpSomebody(server, 'Creator');
  const { id: withdrawal } = await requestedWithdrawal(server, creator.id, month);
  if (destination) {
    const details = server.keyring.encrypt(JSON.stringify(destination), {
      personId: creator.id,
      kind: 'payout destination',
    });
    await server.db
      .updateTable('payout_destinations')
      .set({ details })
      .where('person_id', '=', creator.id)
      .execute();
  }
  return await again({ creator, withdrawal, month, id: '', batch: '' });
}
async function again({ creator, withdrawal, month }: Sent): Promise<Sent> {
  const made = await post('payouts/batches', { month });
  expect(made.json()).toMatchObject({ data: { payer: 'razorpayx', state: 'approved' } });
  const batch = made.json().data._id;
  await server.db
    .updateTable('payout_batches')
    .set({ made_at: new Date(0) })
    .execute();
  const answer = await post(`payouts/batches/send/${batch}`);
  const { data, file } = answer.json();
  expect([data.state, data.payments[0].state, file]).toEqual(['sent', 'sent', '']);
  return { creator, withdrawal, month, id: data.payments[0]._id, batch };
}

/** The server's clock at this point of the test; the payer uses the machine's clock. */
const later = (milliseconds: number) => {
  server.now.value = new Date(server.now.value.getTime() + milliseconds);
};
const warned: string[] = [];
const warn = (error: unknown) => void warned.push(String(error));
/** Polls the payer about everything that is due. */
async function look(by: ApiPayer = payer): Promise<string[]> {
  const outcomes: string[] = [];
  for (
    let attempt = await claimNext(server.context, by);
    attempt;
    attempt = await claimNext(server.context, by)
  )
    outcomes.push(await payOne(server.context, by, attempt, warn));
  return outcomes;
}
const row = ({ id }: Sent) =>
  server.db.selectFrom('payout_attempts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const shown = async ({ creator, month }: Sent) =>
  (
    await call(server, {
      url: `/api/user-earnings/allrequests/${creator.id}?limit=100`,
      headers: creator.headers,
    })
  ).data.find((one: { month: string }) => one.month === month);
const payment = async ({ batch }: Sent) =>
  (await call(server, { url: `/api/operator/payouts/batches/${batch}`, headers: ravi.headers })).data
    .payments[0];
const differences = async ({ withdrawal }: Sent) =>
  (await auditLedger(server.context)).differences.filter(({ id }) => id === withdrawal);
const timesPaid = ({ id }: Sent) =>
  [...razorpayx.payouts.values()].filter((one) => one.reference_id === id).length;
const posted = async ({ withdrawal }: Sent) =>
  (
    await server.db
      .selectFrom('ledger_transactions')
      .select(['step', 'attempt'])
      .where('withdrawal_id', '=', withdrawal)
      // `requested`, then each attempt as it was paid and returned.
      .orderBy('attempt')
      .orderBy('step')
      .execute()
  ).map(({ step, attempt }) => `${step} ${attempt}`);

describe('a batch', () => {
  it('is paid to a UPI id and to an account, with the outcome found by polling alone', async () => {
    const upi = await sent();
    const bank = { kind: 'bank', account: '50100012345678', ifsc: 'HDFC0001234', name: "Ásha O'Rao & Sons" };
    const account = await sent(bank);
    expect(await look()).toEqual(['open', 'open']);
    const [one, other] = [razorpayx.of(upi.id), razorpayx.of(account.id)];
    expect(one).toMatchObject({ amount: 100, mode: 'UPI', purpose: 'payout', narration: 'Creator earnings' });
    expect(other).toMatchObject({ amount: 100, mode: 'IMPS', notes: { withdrawal: account.withdrawal } });
    expect(razorpayx.fundAccounts.find(({ id }) => id === other.fund_account_id)?.given).toContain(
      '"name":"Asha O’Rao and Sons","ifsc":"HDFC0001234","account_number":"50100012345678"',
    );
    expect(await shown(upi)).toMatchObject({ status: 'pending', payout: 'sent' });

    razorpayx.move(one, 'processed');
    razorpayx.move(other, 'processed').utr = null;
    expect(await look()).toEqual([]);
    later(minute);
    expect(await look()).toEqual(['paid', 'paid']);
    expect(await shown(upi)).toMatchObject({ status: 'completed', payout: 'paid', reference: one.utr });
    // A bank that gives no number: the payer's own id is used.
    expect(await shown(account)).toMatchObject({ status: 'completed', reference: other.id });
    expect(await differences(upi)).toEqual([]);
    expect(await row(upi)).toMatchObject({ destination: null, payer_account: null, payer_id: one.id });
    expect([timesPaid(upi), timesPaid(account)]).toEqual([1, 1]);
    const { data } = await call(server, { url: '/api/operator/log?limit=100', headers: ravi.headers });
    expect(data).toContainEqual(
      expect.objectContaining({
        act: 'withdrawal.complete',
        operator: 'razorpayx',
        targetId: upi.withdrawal,
      }),
    );
  });

  it('waits at the payer while the payer has no money, as operators see', async () => {
    const one = await sent();
    razorpayx.control.balance = 0;
    await look();
    razorpayx.control.balance = 1_000_000_000;
    expect(await payment(one)).toMatchObject({
      state: 'sent',
      reason: expect.stringMatching(/^queued: Payout is queued as there is insufficient balance/),
    });
    later(60 * minute);
    razorpayx.move(razorpayx.of(one.id), 'processed');
    expect(await look()).toContain('paid');
    expect(await payment(one)).toMatchObject({ state: 'paid', reason: null });
  });

  it('is polled less and less often', async () => {
    const one = await sent();
    const gaps: number[] = [];
    await look();
    for (let times = 0; times < 9; times += 1) {
      const { look_at } = await row(one);
      const gap = (look_at?.getTime() ?? 0) - server.now.value.getTime();
      gaps.push(gap / minute);
      later(gap);
      await look();
    }
    expect(gaps).toEqual([1, 1, 2, 4, 8, 16, 32, 60, 60]);
  });
});

describe('a payment of a sent batch for which the payer was not called yet', () => {
  const by = ({ creator: { headers } }: Sent, method: 'POST' | 'DELETE', url: string, payload?: object) =>
    server.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  const cancel = (one: Sent) => by(one, 'POST', '/api/user-earnings/cancel', { month: one.month });
  const remove = (one: Sent) => by(one, 'DELETE', '/api/payout/destination');
  const personal = (one: Sent, values: object) =>
    server.db.updateTable('people').set(values).where('id', '=', one.creator.id).execute();
  /** The creator logs in again, so that no confirmation is needed. */
  const fresh = async (one: Sent) =>
    await server.db
      .updateTable('sessions')
      .set({ created_at: server.now.value, used_at: server.now.value })
      .where('person_id', '=', one.creator.id)
      .execute();

  it.each([
    ['cancels the request', cancel],
    ['removes the destination', remove],
  ] as const)('ends at once if its creator %s: the payer is never called', async (_, act) => {
    const one = await sent();
    await fresh(one);
    const calls = razorpayx.requests.length;
    const answer = await act(one);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(await row(one)).toMatchObject({ state: 'cancelled', destination: null });
    expect(await look()).toEqual(['done']);
    expect(razorpayx.requests.length).toBe(calls);
    expect(await shown(one)).toMatchObject(
      act === cancel ? { payout: 'cancelled', steps: [] } : { payout: 'waiting_for_destination', steps: [] },
    );
    expect(await differences(one)).toEqual([]);
  });

  it.each([
    [
      'came back by a mailed link',
      async (one: Sent) => await personal(one, { password_reset_at: server.now.value }),
    ],
    ['was suspended', async (one: Sent) => await personal(one, { suspended_at: server.now.value })],
    [
      'changed where it goes',
      async (one: Sent) => {
        await fresh(one);
        const destination = { kind: 'upi', vpa: `another${one.month.replace('-', '')}@okaxis` };
        const set = await server.inject({
          method: 'PUT',
          url: '/api/payout/destination',
          headers: one.creator.headers,
          payload: destination,
        });
        expect(set.statusCode, set.body).toBe(200);
      },
    ],
  ] as const)(
    'is not requested if its creator %s; operators see why, and it can be paid later',
    async (_, happen) => {
      const one = await sent();
      await happen(one);
      expect(await look()).toEqual(['done']);
      expect(timesPaid(one)).toBe(0);
      expect(await payment(one)).toMatchObject({
        state: 'cancelled',
        reason: 'It could not be paid any more',
      });
      await personal(one, { password_reset_at: null, suspended_at: null });
      later(4 * day);
      const next = await again(one);
      expect(await look()).toContain('open');
      expect(timesPaid(next)).toBe(1);
    },
  );

  it('cannot be stopped any more once the payer was called, whatever it answered', async () => {
    const [one, other] = [await sent(), await sent()];
    razorpayx.faults.push({ at: '/v1/payouts', answer: 'reset', doesIt: true });
    expect((await look()).toSorted()).toEqual(['open', 'unknown']);
    for (const each of [one, other]) {
      await fresh(each);
      expect((await cancel(each)).json().code).toBe('already_sent');
      expect((await remove(each)).statusCode).toBe(200);
    }
    later(minute);
    expect((await look()).toSorted()).toEqual(['open', 'open']);
    expect([timesPaid(one), timesPaid(other)]).toEqual([1, 1]);
  });

  it('has one outcome if it is cancelled while the payer is called', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 6; round += 1) {
      const one = await sent();
      await fresh(one);
      const acts = [() => look(), () => cancel(one)];
      await Promise.all((round % 2 === 0 ? acts : acts.toReversed()).map((act) => act()));
      const isPaid = timesPaid(one) === 1;
      expect(await shown(one)).toMatchObject({ payout: isPaid ? 'sent' : 'cancelled' });
    }
  });
});

describe('a payment without a response', () => {
  const pays = { at: '/v1/payouts' } as const;
  const nothing = { ...pays, answer: 'reset' } as const;

  it.each([
    ['silence after it was done', { ...pays, answer: 'silence', doesIt: true }],
    ['a lost connection after it was done', { ...nothing, doesIt: true }],
    ['a lost connection before it was done', nothing],
    ['a 500 after it was done', { ...pays, answer: { status: 500, body: '{}' }, doesIt: true }],
    ['a 502 of another machine', { ...pays, answer: { status: 502, body: '<html>Bad gateway' } }],
    ['a 409 of a request that is under way', { ...pays, answer: { status: 409, body: '{}' } }],
    ['words that nobody knows', { ...pays, answer: { status: 200, body: '{"id":7}' }, doesIt: true }],
    ['half an answer', { ...pays, answer: { status: 200, body: '{"id":"pout_A' }, doesIt: true }],
    ['a redirection', { ...pays, answer: { status: 302, body: '' } }],
  ] as const)('is unknown, and paid once: %s', async (_, fault) => {
    const one = await sent();
    razorpayx.faults.push(fault);
    // The payer's timeout is 20 seconds; shorter here.
    const { pay } = fault.answer === 'silence' ? impatient : payer;
    expect(await look({ ...payer, pay })).toEqual(['unknown']);
    expect(await row(one)).toMatchObject({ state: 'unknown', payer_id: null });
    expect(await shown(one)).toMatchObject({ status: 'pending', payout: 'sent' });
    const rejected = await post(`withdrawals/reject/${one.withdrawal}`, { reason: 'No' });
    expect([rejected.statusCode, rejected.json().code]).toEqual([409, 'payout_open']);
    const retried = await post('payouts/batches', { month: one.month });
    expect(retried.json().code).toBe('nothing_to_pay');

    later(minute);
    expect(await look()).toEqual(['open']);
    expect(await row(one)).toMatchObject({
      state: 'sent',
      called_at: null,
      payer_id: razorpayx.of(one.id).id,
    });
    razorpayx.move(razorpayx.of(one.id), 'processed');
    later(minute);
    expect(await look()).toEqual(['paid']);
    expect(timesPaid(one)).toBe(1);
    expect(await differences(one)).toEqual([]);
  });

  it('stays unknown for an hour while the payer refuses it and does not find it', async () => {
    const one = await sent();
    razorpayx.faults.push(nothing);
    await look();
    razorpayx.control.knowsThisMachine = false;
    later(minute);
    expect(await look()).toEqual(['refused']);
    expect(await row(one)).toMatchObject({ state: 'unknown' });
    const failed = { id: one.id, state: 'failed', reason: 'The payer has nothing of it' };
    expect((await post('payouts/record', { payments: [failed] })).json().data).toMatchObject([
      { result: 'refused', error: 'The payer says by itself what became of this payment: wait for it.' },
    ]);
    later(60 * minute);
    await look();
    expect(await row(one)).toMatchObject({ state: 'sent', called_at: null });
    expect(await payment(one)).toMatchObject({
      reason: expect.stringContaining('Transactions from this IP are not allowed'),
    });
    razorpayx.control.knowsThisMachine = true;
    // Now the payer certainly has no such payment: an operator may record that.
    expect((await post('payouts/record', { payments: [failed] })).json().data).toMatchObject([
      { result: 'noted' },
    ]);
    later(60 * minute);
    expect(await look()).toEqual(['done']);
    expect(timesPaid(one)).toBe(0);
  });
});

describe('a killed process', () => {
  /** The payer in a process that is killed at this call: before the request, or after the response. */
  const killedAt = (method: 'register' | 'pay' | 'find', when: 'before' | 'after'): ApiPayer => ({
    ...payer,
    async [method](...parameters: never[]) {
      if (when === 'after') await Reflect.apply(payer[method], payer, parameters);
      return await new Promise<never>(() => undefined);
    },
  });

  it.each([
    ['register', 'before'],
    ['register', 'after'],
    ['pay', 'before'],
    ['pay', 'after'],
  ] as const)('continues where it stopped, and pays once: %s, %s the call', async (method, when) => {
    const one = await sent();
    const attempt = await claimNext(server.context, payer);
    const calls = razorpayx.requests.length;
    void payOne(server.context, killedAt(method, when), attempt as NonNullable<typeof attempt>, warn);
    const reached = { find: 1, register: 3, pay: when === 'after' ? 4 : 3 }[
      method === 'register' && when === 'before' ? 'find' : method
    ];
    await expect.poll(() => razorpayx.requests.length - calls).toBe(reached);
    if (method === 'pay') await expect.poll(async () => (await row(one)).called_at).not.toBeNull();
    // Another worker takes the attempt after five minutes.
    expect(await look()).toEqual([]);
    later(5 * minute);
    expect(await look()).toEqual(['open']);
    expect(timesPaid(one)).toBe(1);
    expect(await row(one)).toMatchObject({ state: 'sent', payer_id: razorpayx.of(one.id).id });
  });
});

describe('a payment that fails', () => {
  it('can be paid again, and only then', async () => {
    const one = await sent();
    await look();
    razorpayx.move(
      razorpayx.of(one.id),
      'failed',
      'Payout failed as the beneficiary account 50100012345678 is closed.',
    );
    later(minute);
    expect(await look()).toEqual(['not_paid']);
    expect(await shown(one)).toMatchObject({ status: 'pending', payout: 'failed' });
    expect(await row(one)).toMatchObject({
      state: 'failed',
      reason: 'Payout failed as the beneficiary account … is closed.',
      look_at: null,
    });
    const next = await again(one);
    expect(next.id).not.toBe(one.id);
    await look();
    razorpayx.move(razorpayx.of(next.id), 'processed');
    later(minute);
    expect(await look()).toEqual(['paid']);
    expect(await posted(one)).toEqual(['requested 0', 'completed 2']);
  });

  it.each([
    ['a UPI id that the payer does not take', { kind: 'upi', vpa: 'asha@' }, 'Invalid VPA: …'],
    [
      'a name in a script that banks do not take',
      { kind: 'bank', account: '50100012345678', ifsc: 'HDFC0001234', name: 'आशा राव' },
      'in Latin letters only',
    ],
  ])('that cannot be requested shows the reason: %s', async (_, destination, reason) => {
    const one = await sent();
    // The name is in a batch of an earlier version, which did not check names.
    const sealed = server.keyring.encrypt(JSON.stringify(destination), {
      personId: one.creator.id,
      kind: 'payout attempt',
    });
    await server.db
      .updateTable('payout_attempts')
      .set({ destination: sealed })
      .where('id', '=', one.id)
      .execute();
    expect(await look()).toEqual(['not_paid']);
    expect(await row(one)).toMatchObject({ state: 'failed', reason: expect.stringContaining(reason) });
    expect(timesPaid(one)).toBe(0);
  });

  it('waits if the payer refuses this site and not the payment', async () => {
    const one = await sent();
    const refused = { status: 401, body: '{"error":{"description":"Authentication failed"}}' };
    razorpayx.faults.push({ at: '/v1/contacts', answer: refused });
    expect(await look()).toEqual(['refused']);
    expect(await row(one)).toMatchObject({ state: 'sent', called_at: null });
    expect(await payment(one)).toMatchObject({ reason: expect.stringContaining('Authentication failed') });
    later(minute);
    expect(await look()).toEqual(['open']);
  });

  it('that is returned a week after it was paid has a ledger entry of its own', async () => {
    const one = await sent();
    await look();
    const payout = razorpayx.move(razorpayx.of(one.id), 'processed');
    later(minute);
    await look();
    for (let days = 0; days < 7; days += 1) {
      later(day);
      await look();
    }
    razorpayx.move(payout, 'reversed', 'The bank of the beneficiary returned it');
    later(day);
    expect(await look()).toEqual(['not_paid']);
    expect(await shown(one)).toMatchObject({ status: 'pending', payout: 'returned' });
    expect(await posted(one)).toEqual(['requested 0', 'completed 1', 'returned 1']);
    expect(await differences(one)).toEqual([]);
    const next = await again(one);
    await look();
    razorpayx.move(razorpayx.of(next.id), 'processed');
    later(minute);
    expect(await look()).toEqual(['paid']);
  });
});

describe('a payment that was recorded as paid', () => {
  it('stays paid while later polls have no response, and is paid again when it is returned', async () => {
    const one = await sent();
    await look();
    const payout = razorpayx.move(razorpayx.of(one.id), 'processed');
    later(minute);
    await look();
    // As after a restore, where it was being requested when the backup was made.
    const called_at = server.now.value;
    await server.db.updateTable('payout_attempts').set({ called_at }).where('id', '=', one.id).execute();
    later(day);
    razorpayx.faults.push({
      at: `/v1/payouts/${payout.id}`,
      method: 'GET',
      answer: { status: 503, body: '' },
    });
    expect(await look()).toEqual(['unknown']);
    expect(await row(one)).toMatchObject({ state: 'paid' });
    razorpayx.move(payout, 'reversed', 'The bank returned it');
    later(2 * day);
    expect(await look()).toEqual(['not_paid']);
    expect(await posted(one)).toEqual(['requested 0', 'completed 1', 'returned 1']);
    expect(await differences(one)).toEqual([]);
  });
});

describe('a webhook', () => {
  const url = '/api/payouts/webhook/razorpayx';
  const tell = async (webhook: Webhook) => {
    const { statusCode, body } = await server.inject({ method: 'POST', url, ...webhook });
    return [statusCode, JSON.parse(body).code ?? 'ok'];
  };
  const told = [200, 'ok'];
  const asked = async () => {
    const one = await sent();
    await look();
    return { one, payout: razorpayx.of(one.id) };
  };

  it('pays a batch without polling', async () => {
    const { one, payout } = await asked();
    expect(await tell(razorpayx.webhook(payout))).toEqual(told);
    expect(await row(one)).toMatchObject({ state: 'sent', payer_note: 'processing: processing' });
    expect(await tell(razorpayx.webhook(razorpayx.move(payout, 'processed')))).toEqual(told);
    expect(await shown(one)).toMatchObject({ status: 'completed', payout: 'paid', reference: payout.utr });
    expect(await differences(one)).toEqual([]);
  });

  it('that arrives twice, late or in another order changes nothing that is final', async () => {
    const { one, payout } = await asked();
    const begun = razorpayx.webhook(payout);
    const done = razorpayx.webhook(razorpayx.move(payout, 'processed'));
    const back = razorpayx.webhook(razorpayx.move(payout, 'reversed', 'The bank returned it'));
    for (const event of [done, done, begun]) expect(await tell(event)).toEqual(told);
    expect(await shown(one)).toMatchObject({ payout: 'paid' });
    for (const event of [back, done, begun, back]) expect(await tell(event)).toEqual(told);
    expect(await shown(one)).toMatchObject({ payout: 'returned' });
    expect(await posted(one)).toEqual(['requested 0', 'completed 1', 'returned 1']);
    // The same event under another id, since the id is not signed.
    const copy = { ...done, headers: { ...done.headers, 'x-razorpay-event-id': 'event_another' } };
    expect(await tell(copy)).toEqual(told);
    expect(await row(one)).toMatchObject({ state: 'returned' });
    const next = await again(one);
    expect(await tell({ ...copy, headers: { ...copy.headers, 'x-razorpay-event-id': '' } })).toEqual(told);
    expect(await row(next)).toMatchObject({ state: 'sent' });
    expect(await differences(one)).toEqual([]);
  });

  it('about a payment that an operator recorded as failed is noted for operators, and changes nothing else', async () => {
    const { one, payout } = await asked();
    // As if the payer had refused it, and paid it after all.
    await server.db
      .updateTable('payout_attempts')
      .set({ payer_id: null, payer_note: 'refused', called_at: null })
      .where('id', '=', one.id)
      .execute();
    const failed = { id: one.id, state: 'failed', reason: 'The payer has nothing of it' };
    expect((await post('payouts/record', { payments: [failed] })).statusCode).toBe(200);
    const event = razorpayx.webhook(razorpayx.move(payout, 'processed'));
    expect(await tell(event)).toEqual(told);
    expect(await row(one)).toMatchObject({
      state: 'failed',
      payer_note: `The payer paid this (${payout.utr}), although it was recorded as failed.`,
    });
    expect(log.join('\n')).toContain('although it was recorded as failed');
    expect(await posted(one)).toEqual(['requested 0']);
  });

  it('about the return that arrives before the one about the payment: it was not paid', async () => {
    const { one, payout } = await asked();
    const done = razorpayx.webhook(razorpayx.move(payout, 'processed'));
    const back = razorpayx.webhook(razorpayx.move(payout, 'reversed', 'The bank returned it'));
    for (const event of [back, done]) expect(await tell(event)).toEqual(told);
    expect(await row(one)).toMatchObject({ state: 'failed', reason: 'The bank returned it' });
    expect(await posted(one)).toEqual(['requested 0']);
  });

  it('reports the outcome of a payment whose response was lost', async () => {
    const one = await sent();
    razorpayx.faults.push({ at: '/v1/payouts', answer: 'reset', doesIt: true });
    expect(await look()).toEqual(['unknown']);
    await tell(razorpayx.webhook(razorpayx.move(razorpayx.of(one.id), 'processed')));
    expect(await shown(one)).toMatchObject({ payout: 'paid' });
    later(minute);
    await look();
    expect(timesPaid(one)).toBe(1);
  });

  it('with a wrong signature is rejected with the same message, whatever its content', async () => {
    const { one, payout } = await asked();
    const right = razorpayx.webhook(razorpayx.move(payout, 'processed'));
    const { 'x-razorpay-signature': signature = '', ...unsigned } = right.headers;
    const forged: Webhook[] = [
      razorpayx.webhook(payout, 'the secret of somebody else'),
      { ...right, payload: right.payload.replace('"amount":100', '"amount":101') },
      { ...right, payload: `${right.payload} ` },
      { payload: right.payload, headers: unsigned },
      { payload: right.payload, headers: { ...unsigned, 'x-razorpay-signature': signature.toUpperCase() } },
      { payload: right.payload, headers: { ...unsigned, 'x-razorpay-signature': `${signature}00` } },
      { payload: '', headers: right.headers },
      { payload: '{', headers: right.headers },
    ];
    const answers = await Promise.all(
      forged.map(async (webhook) => {
        const answer = await server.inject({ method: 'POST', url, ...webhook });
        const { requestId: _, ...said } = answer.json();
        return JSON.stringify([answer.statusCode, said]);
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('401');
    expect(await row(one)).toMatchObject({ state: 'sent' });
    const large = { ...right, payload: `${right.payload}${' '.repeat(64 * 1024)}` };
    expect((await server.inject({ method: 'POST', url, ...large })).statusCode).toBe(413);
  });

  it('about another payment, amount or payout is acknowledged and ignored', async () => {
    const { one, payout } = await asked();
    const done = { ...razorpayx.move({ ...payout }, 'processed') };
    const id = 'pout_ofSomebodyElse';
    const others = [
      { ...done, id, reference_id: 'INVOICE 7' },
      { ...done, id, reference_id: null },
      { ...done, id, reference_id: v7() },
      { ...done, id },
      { ...done, amount: 99 },
      { ...done, status: 'levitating' as never },
    ];
    for (const other of others) expect(await tell(razorpayx.webhook(other))).toEqual(told);
    const signed = (payload: string) => ({
      payload,
      headers: {
        'content-type': 'application/json',
        'x-razorpay-signature': createHmac('sha256', razorpayx.settings.RAZORPAYX_WEBHOOK_SECRET)
          .update(payload)
          .digest('hex'),
      },
    });
    for (const text of ['{}', '[]', 'no JSON', '{"event":"payout.processed","payload":{"payout":{}}}'])
      expect(await tell(signed(text))).toEqual(told);
    expect(await row(one)).toMatchObject({ state: 'sent', payer_id: payout.id });
  });

  it('is acknowledged and ignored while payouts are locked after a restore; the outcome is found later by polling', async () => {
    const { one, payout } = await asked();
    const event = razorpayx.webhook(razorpayx.move(payout, 'processed'));
    const now = server.now.value;
    await lockPayouts(server.db, { snapshotAt: now, restoredAt: now });
    expect(await tell(event)).toEqual(told);
    later(minute);
    expect(await look()).toEqual([]);
    expect(await row(one)).toMatchObject({ state: 'sent' });
    await server.db.deleteFrom('payout_locks').execute();
    expect(await look()).toEqual(['paid']);
    expect(await shown(one)).toMatchObject({ payout: 'paid' });
  });

  it('is stored for a month', async () => {
    const { payout } = await asked();
    await tell(razorpayx.webhook(payout));
    const count = async () => (await server.db.selectFrom('payer_events').select('id').execute()).length;
    expect(await count()).toBeGreaterThan(0);
    later(29 * day);
    await tell(razorpayx.webhook(payout));
    later(2 * day);
    await deleteOldEvents(server.context);
    expect(await count()).toBe(1);
  });
});

it('an operator cannot record the outcome of a payment by the API', async () => {
  const one = await sent();
  await look();
  const payments = [
    { id: one.id, state: 'paid', reference: 'by hand' },
    { id: one.id, state: 'failed', reason: 'by hand' },
    { id: one.id, state: 'returned', reason: 'by hand' },
  ];
  const { data } = (await post('payouts/record', { payments })).json();
  expect(data.map(({ result }: { result: string }) => result)).toEqual(['refused', 'refused', 'refused']);
  const completed = await post(`withdrawals/complete/${one.withdrawal}`, { reference: 'by hand' });
  expect([completed.statusCode, completed.json().code]).toEqual([409, 'payment_told']);
  expect(await row(one)).toMatchObject({ state: 'sent' });
});

it('a running server pays what was sent, and its metrics show what is open', async () => {
  const running = await startTestServer(razorpayx.settings);
  try {
    const creator = await signUpSomebody(running, 'Creator');
    const operator = await signUpSomebody(running, 'Uma');
    await makeOperator(running, operator.id);
    const { id } = await requestedWithdrawal(running, creator.id, '2020-01');
    const ask = (url: string, payload: object = {}) =>
      call(running, { method: 'POST', url, payload, headers: operator.headers });
    const { data } = await ask('/api/operator/payouts/batches', { withdrawals: [id] });
    await ask(`/api/operator/payouts/batches/send/${data._id}`);
    const [{ _id: attempt }] = data.payments;
    await expect.poll(() => razorpayx.requests.filter(({ body }) => body.includes(attempt)).length).toBe(1);
    expect(await running.metrics.text()).toContain('jhalak_payouts_open{state="sent"} 1');
    const payout = razorpayx.move(razorpayx.of(attempt), 'processed');
    const url = '/api/payouts/webhook/razorpayx';
    await running.inject({ method: 'POST', url, ...razorpayx.webhook(payout) });
    const state = async () =>
      (await running.db.selectFrom('withdrawals').select('state').executeTakeFirstOrThrow()).state;
    expect(await state()).toBe('completed');
  } finally {
    await running.close();
  }
});

it('parallel workers pay once, and record it once', async () => {
  const one = await sent();
  const attempt = await row(one);
  const times = howMany('PAYMENTS_AT_ONCE', { share: 60, whole: 1000 });
  await Promise.all(
    Array.from({ length: times }, async (_, place) => {
      await payOne(server.context, payer, attempt, () => undefined);
      const [payout] = [...razorpayx.payouts.values()].filter((each) => each.reference_id === one.id);
      if (payout)
        await server.inject({
          method: 'POST',
          url: '/api/payouts/webhook/razorpayx',
          ...razorpayx.webhook(payout),
        });
      if (place % 3 === 0)
        for (const payout of razorpayx.payouts.values())
          if (payout.reference_id === one.id && payout.status === 'processing')
            razorpayx.move(payout, 'processed');
    }),
  );
  later(minute);
  await look();
  expect(timesPaid(one)).toBe(1);
  expect(await shown(one)).toMatchObject({ status: 'completed' });
  expect(await posted(one)).toEqual(['requested 0', 'completed 1']);
});

it('lists all payments since a time, page by page', async () => {
  const [any] = razorpayx.payouts.values();
  const before = razorpayx.payouts.size;
  for (let number = 0; number < 250 - before; number += 1)
    razorpayx.payouts.set(`pout_${number}`, {
      ...(any as StandInPayout),
      id: `pout_${number}`,
      reference_id: null,
    });
  const pages: PayerRecord[][] = [];
  for await (const page of payer.listSince(new Date(Date.now() - day))) pages.push(page);
  expect(pages.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(250);
  const later: PayerRecord[][] = [];
  for await (const page of payer.listSince(new Date(Date.now() + day))) later.push(page);
  expect(later).toEqual([]);
});

it('no log contains a secret, an account number or a UPI id', async () => {
  const bank = { kind: 'bank', account: '987650001112223', ifsc: 'HDFC0001234', name: 'Planted Name' };
  const one = await sent(bank);
  const two = await sent({ kind: 'upi', vpa: 'planted@okaxis' });
  const echo = { status: 400, body: '{"error":{"description":"987650001112223 and planted@okaxis"}}' };
  razorpayx.faults.push({ at: '/v1/fund_accounts', answer: echo }, { at: '/v1/payouts', answer: echo });
  await look();
  later(minute);
  await look();
  const { RAZORPAYX_ACCOUNT, RAZORPAYX_KEY_SECRET, RAZORPAYX_WEBHOOK_SECRET } = razorpayx.settings;
  const planted = [
    bank.account,
    'planted@okaxis',
    RAZORPAYX_ACCOUNT,
    RAZORPAYX_KEY_SECRET,
    RAZORPAYX_WEBHOOK_SECRET,
  ];
  const seen = [
    ...log,
    ...warned,
    JSON.stringify([await row(one), await row(two)]),
    await server.metrics.text(),
    JSON.stringify(await server.db.selectFrom('mails').selectAll().execute()),
  ].join('\n');
  expect(warned.join()).toContain('… and …');
  for (const secret of planted) expect(seen).not.toContain(secret);
});
