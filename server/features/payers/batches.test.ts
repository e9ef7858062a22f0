import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { auditLedger } from '../earnings/audit.ts';
import { setRole } from '../operators/people.ts';
import { makeBatch } from './batches.ts';

/* Batches and attempts (docs/decisions/0062-batches-and-attempts.md). Here one operator alone may pay ₹3 within a day. */
let server: TestServer;
let ravi: Person;
let uma: Person;
beforeAll(async () => {
  server = await startTestServer({ PAYOUT_APPROVAL_ABOVE: '3' });
  ravi = await signUpSomebody(server, 'Ravi');
  uma = await signUpSomebody(server, 'Uma');
  for (const { id } of [ravi, uma]) await makeOperator(server, id);
});
afterAll(() => server.close());

const post = (who: Person, path: string, payload: object = {}) =>
  server.inject({ method: 'POST', url: `/api/operator/${path}`, headers: who.headers, payload });
const get = async (who: Person, url: string) => (await server.inject({ url, headers: who.headers })).json();
const make = (who: Person, body: object = {}) => post(who, 'payouts/batches', body);
const act = (who: Person, what: 'approve' | 'send' | 'cancel', id: string, body: object = {}) =>
  post(who, `payouts/batches/${what}/${id}`, body);
const record = async (who: Person, ...payments: object[]) =>
  (await post(who, 'payouts/record', { payments })).json().data;

let months = 0;
/** A month of its own, so that batches of other tests do not contain it. */
const newMonth = () => {
  months += 1;
  return `${1950 + Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
};
interface Asked {
  creator: Person;
  id: string;
  month: string;
}
async function asked(month = newMonth(), by?: Person): Promise<Asked> {
  const creator = by ?? (await signUpSomebody(server, 'Creator'));
  return { creator, month, id: (await requestedWithdrawal(server, creator.id, month)).id };
}
/** A batch with one payment, which the payer has. */
async function sent(one: Asked, by = ravi) {
  await forgetBatches();
  const batch = (await make(by, { month: one.month })).json().data;
  const { data, file } = (await act(by, 'send', batch._id)).json();
  return { batch: data, file, payment: data.payments[0] };
}
/** An operator who recorded nothing yet. */
async function anotherOperator(): Promise<Person> {
  const another = await signUpSomebody(server, 'Another');
  await makeOperator(server, another.id);
  return another;
}
/** Earlier batches do not count for the daily sum of this test. */
const forgetBatches = () =>
  server.db
    .updateTable('payout_batches')
    .set({ made_at: new Date(0) })
    .execute();
const shown = async ({ creator, month }: Asked) => {
  const url = `/api/user-earnings/allrequests/${creator.id}?limit=100`;
  return (await get(creator, url)).data.find((one: { month: string }) => one.month === month);
};
const statusOf = async ({ creator, month }: Asked) =>
  (await get(creator, `/api/user-earnings/withdraw-status/${creator.id}`)).data[month];
const told = async ({ creator }: Asked) =>
  (
    await server.db
      .selectFrom('notifications')
      .select('kind')
      .where('person_id', '=', creator.id)
      .where(sql<boolean>`kind like 'withdrawal%'`)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind);
const posted = async ({ id }: Asked) =>
  (
    await server.db
      .selectFrom('ledger_transactions')
      .select(['step', 'debit', 'credit', 'attempt'])
      .where('withdrawal_id', '=', id)
      .execute()
  )
    .map(({ step, debit, credit, attempt }) => `${attempt} ${step}: ${debit} ${credit}`)
    .sort();
const differences = async (of: Asked) =>
  (await auditLedger(server.context)).differences.filter(
    ({ id, what }) => id === of.id || (what === 'account' && id !== of.creator.id),
  );
const acts = async (targetId: string) =>
  (await call(server, { url: '/api/operator/log?limit=100', headers: ravi.headers })).data
    .filter((one: { targetId: string }) => one.targetId === targetId)
    .map((one: { act: string }) => one.act)
    .reverse();

describe('a batch', () => {
  it('that the bank pays under one reference is recorded with the ids of the other payments, once, also if repeated', async () => {
    const month = newMonth();
    const all = [await asked(month), await asked(month)];
    const { batch, payment } = await sent(all[0] as Asked);
    const reference = `UTR ${v7()}`;
    const paid = batch.payments.map(({ _id: id }: { _id: string }) => ({ id, state: 'paid', reference }));
    const results = async () => (await record(ravi, ...paid)).map(({ result }: { result: string }) => result);
    expect(await results()).toEqual(['noted', 'noted']);
    expect(await results()).toEqual(['unchanged', 'unchanged']);
    const other = batch.payments[1]._id;
    expect((await Promise.all(all.map(shown))).map((one) => one.reference).sort()).toEqual([
      reference,
      `${reference} ${other}`,
    ]);
    for (const one of all) expect(await differences(one)).toEqual([]);
    // A payment of another batch cannot use the same reference.
    const next = await sent(await asked());
    expect(await record(ravi, { id: next.payment._id, state: 'paid', reference })).toMatchObject([
      { result: 'refused', error: expect.stringMatching(/^Another withdrawal was paid with this reference/) },
    ]);
    await record(ravi, { id: payment._id, state: 'returned', reason: 'Closed' });
    expect(await results()).toEqual(['refused', 'unchanged']);
  });

  it('is made, sent as a file once, and paid; each step is shown and notified', async () => {
    const one = await asked();
    await forgetBatches();
    const made = (await make(ravi, { month: one.month })).json().data;
    expect(made).toMatchObject({ state: 'approved', payer: 'file', paise: 100, madeBy: ravi.id });
    expect(made.payments).toMatchObject([{ withdrawalId: one.id, state: 'prepared', number: 1 }]);
    expect(await shown(one)).toMatchObject({ status: 'pending', payout: 'approved' });

    const answer = await act(ravi, 'send', made._id);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { data, file } = answer.json();
    expect(data).toMatchObject({ state: 'sent', payments: [{ state: 'exported' }] });
    const [headings, row, end] = file.split('\r\n');
    expect(headings).toMatch(/^"id","withdrawal","month","rupees",/);
    expect(row).toContain(`"${data.payments[0]._id}","${one.id}","${one.month}","1.00"`);
    expect(row).toMatch(/"upi","[0-9a-f]{16}@okaxis"/);
    expect(end).toBe('');
    expect(await shown(one)).toMatchObject({ status: 'pending', payout: 'sent' });
    expect(await statusOf(one)).toBe('pending');

    const again = await act(uma, 'send', made._id);
    expect([again.statusCode, again.json().code]).toEqual([409, 'batch_decided']);
    // The same payments with the same ids, because the file was lost.
    expect((await act(uma, 'send', made._id, { again: true })).json().file).toBe(file);

    const reference = `UTR ${v7()}`;
    const payment = { id: data.payments[0]._id, state: 'paid', reference };
    expect(await record(ravi, payment)).toEqual([{ _id: payment.id, result: 'noted', error: null }]);
    expect(await record(uma, payment)).toEqual([{ _id: payment.id, result: 'unchanged', error: null }]);
    expect(await shown(one)).toMatchObject({
      status: 'completed',
      payout: 'paid',
      reference,
      steps: [
        { step: 'approved', note: null },
        { step: 'sent', note: data.payments[0].to },
        { step: 'paid', note: reference },
      ],
    });
    expect(await statusOf(one)).toBe('completed');
    expect(await told(one)).toEqual(['withdrawal_approved', 'withdrawal_sent', 'withdrawal_paid']);
    expect(await acts(made._id)).toEqual(['payout.make', 'payout.send', 'payout.send-again']);
    expect(await differences(one)).toEqual([]);
    // The destination was needed until now, and is deleted.
    const { destination } = await server.db
      .selectFrom('payout_attempts')
      .select('destination')
      .where('id', '=', payment.id)
      .executeTakeFirstOrThrow();
    expect(destination).toBeNull();
  });

  it('has each withdrawal once, even if fifty operators make, send and record batches in parallel', async () => {
    const one = await asked();
    await forgetBatches();
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, n) => make(n % 2 ? ravi : uma, { month: one.month })),
    );
    const batches = made.filter(({ statusCode }) => statusCode === 200).map((answer) => answer.json().data);
    expect(batches).toHaveLength(1);
    expect(
      new Set(made.filter(({ statusCode }) => statusCode !== 200).map((answer) => answer.json().code)),
    ).toEqual(new Set(['nothing_to_pay']));
    const files = await Promise.all(Array.from({ length: 50 }, () => act(ravi, 'send', batches[0]._id)));
    expect(files.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const { _id: id } = batches[0].payments[0];
    const reference = `UTR ${v7()}`;
    const results = await Promise.all(
      Array.from({ length: 50 }, () => record(ravi, { id, state: 'paid', reference })),
    );
    expect(
      results
        .flat()
        .map(({ result }) => result)
        .sort(),
    ).toEqual(['noted', ...Array(49).fill('unchanged')]);
    expect(await posted(one)).toEqual([
      '0 requested: earnings_expense creator_payable',
      '1 completed: creator_payable payouts',
    ]);
  });

  it('above the sum of one operator is approved by another one, who has no payment in it', async () => {
    const month = newMonth();
    const creators = [await asked(month), await asked(month), await asked(month), await asked(month, uma)];
    await forgetBatches();
    const vera = await signUpSomebody(server, 'Vera');
    await makeOperator(server, vera.id);
    const batch = (await make(ravi, { month })).json().data;
    expect(batch).toMatchObject({ state: 'proposed', paise: 400 });
    const refusedTo = async (who: Person, what: 'approve' | 'send') => {
      const answer = await act(who, what, batch._id);
      return [answer.statusCode, answer.json().code];
    };
    expect(await refusedTo(ravi, 'send')).toEqual([409, 'batch_waits']);
    expect(await refusedTo(ravi, 'approve')).toEqual([403, 'own_batch']);
    expect(await refusedTo(uma, 'approve')).toEqual([403, 'own_withdrawal']);
    expect((await shown(creators[0] as Asked)).payout).toBe('in_review');
    const approved = await Promise.all([1, 2, 3].map(() => act(vera, 'approve', batch._id)));
    expect(approved.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(await acts(batch._id)).toEqual(['payout.make', 'payout.approve']);
    expect(await told(creators[0] as Asked)).toEqual(['withdrawal_approved']);
    expect(await refusedTo(uma, 'send')).toEqual([403, 'own_withdrawal']);
    expect((await act(ravi, 'send', batch._id)).json().data.payments).toMatchObject(
      Array(4).fill({ state: 'exported' }),
    );
  });

  it('is not made or approved by anybody whom another operator appointed less than 72 hours ago', async () => {
    const month = newMonth();
    await asked(month);
    const [helper, known] = [await signUpSomebody(server, 'Helper'), await signUpSomebody(server, 'Known')];
    // Appointed on the server, by no operator.
    await setRole(server.context, { id: null, name: 'server' }, known.id, { role: 'administrator' });
    const appointed = await post(ravi, `people/role/${helper.id}`, { role: 'administrator' });
    expect(appointed.statusCode).toBe(200);
    for (const { id } of [helper, known]) await makeOperator(server, id);
    expect((await make(helper, { month })).json()).toMatchObject({ code: 'new_operator' });
    // One operator alone may pay nothing more that day.
    await forgetBatches();
    for (let n = 0; n < 3; n += 1) await make(ravi, { month: (await asked()).month });
    const batch = (await make(ravi, { month })).json().data;
    expect(batch.state).toBe('proposed');
    const refused = await act(helper, 'approve', batch._id);
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'new_operator']);
    const later = { ...server.context, clock: () => new Date(Date.now() + 73 * 60 * 60 * 1000) };
    const { month: another } = await asked();
    const made = await makeBatch(later, { id: helper.id, name: 'Helper' }, { month: another });
    expect(made.payments).toHaveLength(1);
    expect((await act(known, 'approve', batch._id)).json().data).toMatchObject({ state: 'approved' });
  });

  it('counts towards the daily sum of one operator, so that many small batches are one large one', async () => {
    await forgetBatches();
    for (let n = 0; n < 3; n += 1)
      expect((await make(ravi, { month: (await asked()).month })).json().data.state).toBe('approved');
    const { month } = await asked();
    expect((await make(ravi, { month })).json().data.state).toBe('proposed');
    await forgetBatches();
    const next = (await make(uma, { month: (await asked()).month })).json().data;
    expect(next.state).toBe('approved');
  });

  it('stays below the sum on a site with one operator', async () => {
    const alone = await startTestServer({ PAYOUT_APPROVAL_ABOVE: '2' });
    try {
      const only = await signUpSomebody(alone, 'Only');
      await makeOperator(alone, only.id);
      const ids: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const creator = await signUpSomebody(alone, 'Creator');
        ids.push((await requestedWithdrawal(alone, creator.id, '2025-01')).id);
      }
      const ask = () =>
        alone.inject({
          method: 'POST',
          url: '/api/operator/payouts/batches',
          headers: only.headers,
          payload: {},
        });
      const { data } = (await ask()).json();
      expect(data).toMatchObject({ state: 'approved', paise: 200 });
      expect(data.payments.map((one: { withdrawalId: string }) => one.withdrawalId).sort()).toEqual(
        ids.slice(0, 2).sort(),
      );
      const refused = (await ask()).json();
      expect([refused.code, refused.error]).toEqual([
        'nothing_to_pay',
        'One operator alone pays at most ₹2.00 within a day: a second operator approves more.',
      ]);
      await alone.db
        .updateTable('payout_batches')
        .set({ made_at: new Date(0) })
        .execute();
      expect((await ask()).json().data.payments).toMatchObject([{ withdrawalId: ids[2] }]);
    } finally {
      await alone.close();
    }
  });

  it('contains no payment to the operator who makes it, to suspended people, or to people who cannot be paid yet', async () => {
    const month = newMonth();
    await asked(month, ravi);
    const [gone, waits, fine] = [await asked(month), await asked(month), await asked(month)];
    await post(uma, `people/suspend/${gone.creator.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    await server.db.deleteFrom('payout_destinations').where('person_id', '=', waits.creator.id).execute();
    await forgetBatches();
    const { payments } = (await make(ravi, { month })).json().data;
    expect(payments).toMatchObject([{ withdrawalId: fine.id }]);
    expect(payments).toHaveLength(1);
  });

  it('leaves out who was suspended, was rejected, or changed the destination since it was made', async () => {
    const month = newMonth();
    const all = [await asked(month), await asked(month), await asked(month)] as [Asked, Asked, Asked];
    await forgetBatches();
    const batch = (await make(ravi, { month })).json().data;
    const [gone, rejected, moved] = all;
    await post(uma, `people/suspend/${gone.creator.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    expect((await post(uma, `withdrawals/reject/${rejected.id}`, { reason: 'No' })).statusCode).toBe(200);
    await server.inject({
      method: 'PUT',
      url: '/api/payout/destination',
      headers: moved.creator.headers,
      payload: { kind: 'upi', vpa: 'another.place@okaxis' },
    });
    const { data, file } = (await act(ravi, 'send', batch._id)).json();
    expect(data.state).toBe('cancelled');
    expect(data.payments).toMatchObject(Array(3).fill({ state: 'cancelled' }));
    expect(file.trim().split('\r\n')).toHaveLength(1);
    expect(await shown(moved)).toMatchObject({ payout: 'on_hold', steps: [] });
  });

  it('can be cancelled before it is sent, and its withdrawals go into another one', async () => {
    const one = await asked();
    await forgetBatches();
    const batch = (await make(ravi, { month: one.month })).json().data;
    for (let times = 0; times < 2; times += 1)
      expect((await act(uma, 'cancel', batch._id)).json().data.state).toBe('cancelled');
    expect((await act(ravi, 'send', batch._id)).json().code).toBe('batch_decided');
    expect((await shown(one)).payout).toBe('in_review');
    const { payment } = await sent(one);
    expect(payment).toMatchObject({ number: 2, state: 'exported' });
    expect((await act(ravi, 'cancel', (await sent(await asked())).batch._id)).json().code).toBe(
      'batch_decided',
    );
  });

  it('is listed, and shown only to operators', async () => {
    const { batch } = await sent(await asked());
    const { data } = await get(uma, '/api/operator/payouts/batches?limit=1');
    expect(data).toHaveLength(1);
    expect((await get(uma, `/api/operator/payouts/batches/${batch._id}`)).data.payments).toHaveLength(1);
    expect((await get(uma, `/api/operator/payouts/batches/${v7()}`)).code).toBe('not_found');
    const { creator } = await asked();
    for (const path of ['', `/${batch._id}`])
      expect((await get(creator, `/api/operator/payouts/batches${path}`)).code).toBe('not_found');
  });
});

describe('a withdrawal that the payer has', () => {
  it('cannot be rejected until the payer reports that it was not paid', async () => {
    const one = await asked();
    const { payment } = await sent(one);
    const reject = () => post(uma, `withdrawals/reject/${one.id}`, { reason: 'No' });
    const refused = await reject();
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'payout_open']);
    await record(ravi, { id: payment._id, state: 'failed', reason: 'Account closed' });
    expect(await shown(one)).toMatchObject({
      status: 'pending',
      payout: 'failed',
      steps: [{ step: 'approved' }, { step: 'sent' }, { step: 'failed', note: 'Account closed' }],
    });
    expect(await told(one)).toEqual(['withdrawal_approved', 'withdrawal_sent', 'withdrawal_failed']);
    expect((await reject()).statusCode).toBe(200);
    expect(await differences(one)).toEqual([]);
  });

  it('is not paid twice by a rejection, a new request and another batch', async () => {
    const one = await asked();
    const { payment } = await sent(one);
    expect((await post(uma, `withdrawals/reject/${one.id}`, { reason: 'No' })).statusCode).toBe(409);
    const payload = { userId: one.creator.id, month: one.month, totalRupee: '1.00' };
    const again = await server.inject({
      method: 'POST',
      url: '/api/user-earnings/request',
      headers: one.creator.headers,
      payload,
    });
    expect(again.json().data._id).toBe(one.id);
    expect((await make(uma, { month: one.month })).json().code).toBe('nothing_to_pay');
    await record(ravi, { id: payment._id, state: 'paid', reference: `UTR ${v7()}` });
    expect((await make(uma, { month: one.month })).json().code).toBe('nothing_to_pay');
  });

  it('can be completed by hand, also if its creator was suspended since, because the money has arrived', async () => {
    const one = await asked();
    const { payment } = await sent(one);
    await post(uma, `people/suspend/${one.creator.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    const reference = `UTR ${v7()}`;
    expect((await post(ravi, `withdrawals/complete/${one.id}`, { reference })).statusCode).toBe(200);
    expect(await record(ravi, { id: payment._id, state: 'paid', reference })).toMatchObject([
      { result: 'unchanged' },
    ]);
    expect(await differences(one)).toEqual([]);
  });

  it('in a batch that was not sent is not completed by hand', async () => {
    const one = await asked();
    await forgetBatches();
    await make(ravi, { month: one.month });
    const refused = await post(ravi, `withdrawals/complete/${one.id}`, { reference: `UTR ${v7()}` });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'payout_open']);
  });
});

describe('a report of the payer', () => {
  it('that a payment failed allows a next attempt; a late report about the first one is refused', async () => {
    const one = await asked();
    const first = (await sent(one)).payment;
    await record(ravi, { id: first._id, state: 'failed', reason: 'Bank is down' });
    const second = (await sent(one, await anotherOperator())).payment;
    expect(second).toMatchObject({ number: 2 });
    expect(second._id).not.toBe(first._id);
    const results = await record(
      ravi,
      { id: first._id, state: 'paid', reference: `UTR ${v7()}` },
      { id: first._id, state: 'failed', reason: 'Bank is down' },
      { id: v7(), state: 'failed', reason: 'What is this' },
      { id: second._id, state: 'paid', reference: `UTR ${v7()}` },
      { id: second._id, state: 'failed', reason: 'Really not' },
    );
    expect(results).toMatchObject([
      { result: 'refused', error: 'There is a later attempt at this payment: ask the payer about both.' },
      { result: 'unchanged' },
      { result: 'refused', error: 'There is no such payment.' },
      { result: 'noted' },
      { result: 'refused', error: 'This payment is noted as paid.' },
    ]);
    expect(await posted(one)).toEqual([
      '0 requested: earnings_expense creator_payable',
      '2 completed: creator_payable payouts',
    ]);
    expect(await differences(one)).toEqual([]);
  });

  it('that a payment was returned makes the withdrawal pending again, in the ledger, in the totals and for its creator', async () => {
    const one = await asked();
    const first = (await sent(one)).payment;
    const reference = `UTR ${v7()}`;
    await record(ravi, { id: first._id, state: 'paid', reference });
    const totals = async () =>
      (await get(one.creator, `/api/user-earnings/statement/${one.creator.id}/${one.month}`)).data;
    expect((await totals()).years).toMatchObject([{ payments: 1, paidPaise: 100 }]);
    expect((await totals()).postings).toMatchObject([
      { paidTo: null },
      { note: reference, paidTo: first.to },
    ]);
    const back = { id: first._id, state: 'returned', reason: 'No such account' };
    const results = await Promise.all([record(ravi, back), record(uma, back), record(ravi, back)]);
    expect(
      results
        .flat()
        .map(({ result }) => result)
        .sort(),
    ).toEqual(['noted', 'unchanged', 'unchanged']);
    expect(await statusOf(one)).toBe('pending');
    expect(await shown(one)).toMatchObject({
      status: 'pending',
      payout: 'returned',
      reference: null,
      decidedAt: null,
    });
    expect(await posted(one)).toEqual([
      '0 requested: earnings_expense creator_payable',
      '1 completed: creator_payable payouts',
      '1 returned: payouts creator_payable',
    ]);
    const statement = await totals();
    expect(statement).toMatchObject({ owedPaise: 100, paidPaise: 0 });
    expect(statement.years).toMatchObject([{ payments: 0, paidPaise: 0 }]);
    expect(statement.postings.map(({ step, note }: { step: string; note: string }) => [step, note])).toEqual([
      ['requested', null],
      ['completed', reference],
      ['returned', 'No such account'],
    ]);
    expect(await told(one)).toContain('withdrawal_returned');
    expect(await differences(one)).toEqual([]);

    // A returned payment does not use up the reference of another one.
    const second = (await sent(one, await anotherOperator())).payment;
    expect(await record(ravi, { id: second._id, state: 'paid', reference })).toMatchObject([
      { result: 'refused', error: expect.stringMatching(/^Another withdrawal was paid with this reference/) },
    ]);
    await record(ravi, { id: second._id, state: 'paid', reference: `UTR ${v7()}` });
    expect((await totals()).years).toMatchObject([{ payments: 1, paidPaise: 100 }]);
    expect(await statusOf(one)).toBe('completed');
    expect(await differences(one)).toEqual([]);
  });

  it('may also say that a payment by hand was returned', async () => {
    const one = await asked();
    await post(ravi, `withdrawals/complete/${one.id}`, { reference: `UTR ${v7()}` });
    const { id } = await server.db
      .selectFrom('payout_attempts')
      .select('id')
      .where('withdrawal_id', '=', one.id)
      .executeTakeFirstOrThrow();
    expect(await record(uma, { id, state: 'returned', reason: 'Closed' })).toMatchObject([
      { result: 'noted' },
    ]);
    expect(await statusOf(one)).toBe('pending');
    expect(await differences(one)).toEqual([]);
  });

  it("about an operator's own payment is recorded by another operator", async () => {
    const one = await asked(newMonth(), ravi);
    await forgetBatches();
    const batch = (await make(uma, { month: one.month })).json().data;
    await act(uma, 'send', batch._id);
    const { _id: id } = batch.payments[0];
    for (const said of [
      { id, state: 'paid', reference: `UTR ${v7()}` },
      { id, state: 'failed', reason: 'No' },
    ])
      expect(await record(ravi, said)).toMatchObject([
        { result: 'refused', error: expect.stringContaining('own withdrawal') },
      ]);
    expect(await statusOf(one)).toBe('pending');
  });
});

it('the destination is deleted with the account, and the paid amount stays in the totals', async () => {
  const one = await asked();
  const { payment } = await sent(one);
  await record(ravi, { id: payment._id, state: 'paid', reference: `UTR ${v7()}` });
  const { id, headers } = one.creator;
  const gone = await server.inject({ method: 'DELETE', url: `/api/delete/${id}`, headers });
  expect(gone.statusCode, gone.body).toBe(200);
  const row = await server.db
    .selectFrom('payout_attempts')
    .select(['state', 'masked', 'destination', 'fingerprint'])
    .where('creator_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ state: 'paid', masked: null, destination: null, fingerprint: null });
  expect(await differences(one)).toEqual([]);
});
