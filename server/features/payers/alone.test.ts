import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { auditLedger } from '../earnings/audit.ts';
import { completeWithdrawal } from '../operators/withdrawals.ts';
import { cancelWithdrawal } from '../withdrawals/cancelling.ts';
import { withdraw } from '../withdrawals/withdrawals.ts';
import { makeBatch } from './batches.ts';
import { recordPayments } from './record.ts';

/* What one operator may pay alone (docs/decisions/0062-batches-and-attempts.md): ₹3 within a day here, and nothing a second time. */
const day = 24 * 60 * 60 * 1000;
let server: TestServer;
let ravi: Person;
let uma: Person;
beforeAll(async () => {
  server = await startTestServer({ PAYOUT_APPROVAL_ABOVE: '3' });
  [ravi, uma] = [await signUpSomebody(server, 'Ravi'), await signUpSomebody(server, 'Uma')];
});
afterAll(() => server.close());
/** Each test has two operators and has paid nothing today. */
beforeEach(async () => {
  await onlyOperators(ravi, uma);
  await server.db
    .updateTable('payout_batches')
    .set({ made_at: new Date(0) })
    .execute();
  await server.db
    .updateTable('payout_attempts')
    .set({ paid_at: new Date(0) })
    .where('paid_at', 'is not', null)
    .execute();
});

async function onlyOperators(...people: Person[]): Promise<void> {
  await server.db.updateTable('people').set({ role: 'person' }).where('role', '=', 'operator').execute();
  for (const { id } of people) await makeOperator(server, id);
}

const post = (who: Person, path: string, payload: object = {}) =>
  server.inject({ method: 'POST', url: `/api/operator/${path}`, headers: who.headers, payload });
const get = async (who: Person, path: string) =>
  (await server.inject({ url: `/api/operator/${path}`, headers: who.headers })).json();
const complete = (who: Person, id: string, reference = `UTR ${v7()}`) =>
  post(who, `withdrawals/complete/${id}`, { reference });
const record = async (who: Person, ...payments: object[]) =>
  (await post(who, 'payouts/record', { payments })).json().data;
const codeOf = async (answer: ReturnType<typeof post>) => {
  const { statusCode, ...got } = await answer;
  return statusCode === 200 ? 'ok' : got.json().code;
};

interface Asked {
  id: string;
  month: string;
  creator: Person;
}
let months = 0;
async function asked(creator?: Person): Promise<Asked> {
  months += 1;
  const month = `${1950 + Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
  const by = creator ?? (await signUpSomebody(server, 'Creator'));
  return { creator: by, month, id: (await requestedWithdrawal(server, by.id, month)).id };
}
const make = (who: Person, { id }: Pick<Asked, 'id'>) => post(who, 'payouts/batches', { withdrawals: [id] });
/** Makes a batch of one withdrawal and sends it; returns its payment. */
async function sent(who: Person, one: Pick<Asked, 'id'>): Promise<string> {
  const { data } = (await make(who, one)).json();
  const { data: batch } = (await post(who, `payouts/batches/send/${data._id}`)).json();
  return batch.payments[0]._id;
}
async function failed(who: Person, one: Pick<Asked, 'id'>): Promise<void> {
  const payment = await sent(who, one);
  const failure = { id: payment, state: 'failed', reason: 'No such account' };
  expect(await record(who, failure)).toMatchObject([{ result: 'noted' }]);
}
const kindsOf = async ({ creator }: Asked) =>
  (
    await server.db
      .selectFrom('notifications')
      .select('kind')
      .where('person_id', '=', creator.id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind);
const marksOf = async ({ id, month }: Asked) =>
  (await get(ravi, `withdrawals?month=${month}&limit=100`)).data.find(
    (one: { _id: string }) => one._id === id,
  )?.marks;
const at = (ms: number) => ({ ...server.context, clock: () => new Date(Date.now() + ms) });
const as = ({ id, username }: Person) => ({ id, name: username });

describe('a withdrawal of which an operator recorded that a payment failed', () => {
  it('is not handed out again by the same operator alone, however small it is: another one approves it', async () => {
    const one = await asked();
    await failed(ravi, one);
    const { data } = (await make(ravi, one)).json();
    expect(data).toMatchObject({ state: 'proposed', paise: 100 });
    expect(await codeOf(post(ravi, `payouts/batches/send/${data._id}`))).toBe('batch_waits');
    expect(await codeOf(post(ravi, `payouts/batches/approve/${data._id}`))).toBe('own_batch');
    expect(await codeOf(post(uma, `payouts/batches/approve/${data._id}`))).toBe('ok');
    expect(await codeOf(post(ravi, `payouts/batches/send/${data._id}`))).toBe('ok');
  });

  it('is not completed by hand by the same operator, but by another one', async () => {
    const one = await asked();
    await failed(ravi, one);
    expect((await complete(ravi, one.id)).json()).toMatchObject({
      code: 'second_operator',
      error:
        'You noted that an earlier payment of this withdrawal was not made: another operator pays it again.',
    });
    expect(await codeOf(complete(uma, one.id))).toBe('ok');
  });

  it('is in a batch of another operator at once', async () => {
    const one = await asked();
    await failed(ravi, one);
    expect((await make(uma, one)).json().data.state).toBe('approved');
  });

  it('needs another operator also if two operators each recorded a failure, and if the payment was returned', async () => {
    const [one, back] = [await asked(), await asked()];
    await failed(ravi, one);
    await failed(uma, one);
    for (const who of [ravi, uma]) {
      const { data } = (await make(who, one)).json();
      expect(data.state).toBe('proposed');
      await post(who, `payouts/batches/cancel/${data._id}`);
    }
    const payment = await sent(ravi, back);
    await record(ravi, { id: payment, state: 'paid', reference: `UTR ${v7()}` });
    await record(ravi, { id: payment, state: 'returned', reason: 'No such account' });
    expect((await make(ravi, back)).json().data.state).toBe('proposed');
  });

  it('needs another operator also after it was rejected and its month requested again', async () => {
    const one = await asked();
    await failed(ravi, one);
    expect(await codeOf(post(ravi, `withdrawals/reject/${one.id}`, { reason: 'Again, please' }))).toBe('ok');
    const { id: userId } = one.creator;
    const asking = { userId, month: one.month, totalRupee: '1.00' };
    const { _id: id } = await withdraw(server.context, userId, asking);
    expect(id).not.toBe(one.id);
    expect((await make(ravi, { id })).json().data.state).toBe('proposed');
  });

  it('is marked in the list and in its batch, told to its creator, and a line of the audit without a difference', async () => {
    const one = await asked();
    const lines = async () => {
      const { differences, paidAgain } = await auditLedger(server.context);
      return [
        differences.filter(({ id }) => id === one.id),
        paidAgain.filter((line) => line.withdrawalId === one.id),
      ];
    };
    expect(await marksOf(one)).not.toContain('retried');
    await failed(ravi, one);
    expect(await marksOf(one)).toContain('retried');
    expect(await lines()).toEqual([[], []]);
    const { data } = (await make(uma, one)).json();
    expect(data.payments[0].marks).toContain('retried');
    expect((await get(ravi, `payouts/batches/${data._id}`)).data.payments[0].marks).toContain('retried');
    expect(await kindsOf(one)).toEqual([
      'withdrawal_approved',
      'withdrawal_sent',
      'withdrawal_failed',
      'withdrawal_retried',
    ]);
    expect(await lines()).toEqual([[], [expect.objectContaining({ month: one.month, paise: 100 })]]);
  });

  it('is paid again by the same operator if the API of the payer reported the failure', async () => {
    const one = await asked();
    const payment = await sent(ravi, one);
    await server.db
      .updateTable('payout_attempts')
      .set({ payer: 'razorpayx', state: 'failed', reason: 'Rejected', ended_at: new Date() })
      .where('id', '=', payment)
      .execute();
    expect(await marksOf(one)).not.toContain('retried');
    expect((await make(ravi, one)).json().data.state).toBe('approved');
  });
});

describe('on a site with one operator a withdrawal of which they recorded a failure', () => {
  it('is paid again after 72 hours within the sum of a day, and its creator is told', async () => {
    await onlyOperators(ravi);
    const one = await asked();
    await failed(ravi, one);
    const which = { withdrawals: [one.id] };
    await expect(makeBatch(at(3 * day - 60_000), as(ravi), which)).rejects.toMatchObject({
      code: 'nothing_to_pay',
      message: expect.stringContaining('72 hours after that'),
    });
    expect(await makeBatch(at(3 * day), as(ravi), which)).toMatchObject({ state: 'approved' });
    expect((await kindsOf(one)).at(-1)).toBe('withdrawal_retried');
  });

  it('does not hold up the other withdrawals, and is completed by hand only after 72 hours', async () => {
    await onlyOperators(ravi);
    const [one, other] = [await asked(), await asked()];
    await failed(ravi, one);
    const { data } = (await post(ravi, 'payouts/batches', { withdrawals: [one.id, other.id] })).json();
    expect(data.payments).toMatchObject([{ withdrawalId: other.id }]);
    expect((await complete(ravi, one.id)).json()).toMatchObject({
      code: 'second_operator',
      error: expect.stringContaining('without another operator it is paid again from'),
    });
    const said = { reference: `UTR ${v7()}` };
    expect(await completeWithdrawal(at(3 * day), as(ravi), one.id, said)).toMatchObject({
      status: 'completed',
    });
    expect((await kindsOf(one)).slice(-2)).toEqual(['withdrawal_retried', 'withdrawal_paid']);
  });
});

describe('the sum that one operator may pay alone within a day', () => {
  const worth = async (one: Asked, paise: number) => {
    await server.db.updateTable('withdrawals').set({ paise }).where('id', '=', one.id).execute();
    return one;
  };

  it('is not passed by completing one withdrawal of ₹1,00,000 by hand', async () => {
    const one = await worth(await asked(), 100_000_00);
    expect((await complete(ravi, one.id, 'INVENTED-1')).json()).toMatchObject({
      code: 'second_operator',
      error:
        'One operator alone pays at most ₹3.00 within a day: put this withdrawal in a batch, which another operator approves.',
    });
    // The way that the sentence names.
    const { data } = (await make(ravi, one)).json();
    expect(data.state).toBe('proposed');
    expect(await codeOf(post(uma, `payouts/batches/approve/${data._id}`))).toBe('ok');
  });

  it('is one sum over batches and payments by hand, in either order', async () => {
    for (let n = 0; n < 2; n += 1) expect(await codeOf(complete(ravi, (await asked()).id))).toBe('ok');
    expect((await make(ravi, await asked())).json().data.state).toBe('approved');
    expect((await make(ravi, await asked())).json().data.state).toBe('proposed');
    expect(await codeOf(complete(uma, (await asked()).id))).toBe('second_operator');
  });

  it('does not count a payment that left its batch, so that requests and cancellations do not use it up', async () => {
    const [one, other] = [await asked(), await asked()];
    const { data } = (await post(ravi, 'payouts/batches', { withdrawals: [one.id, other.id] })).json();
    expect(data).toMatchObject({ state: 'approved', paise: 200 });
    await cancelWithdrawal(server.context, one.creator.id, one.month);
    expect(await codeOf(post(ravi, `payouts/batches/send/${data._id}`))).toBe('ok');
    for (let n = 0; n < 2; n += 1) expect(await codeOf(complete(ravi, (await asked()).id))).toBe('ok');
    expect(await codeOf(complete(ravi, (await asked()).id))).toBe('second_operator');
  });

  it('is not passed by twenty payments by hand in parallel', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => asked()));
    const codes = await Promise.all(all.map(({ id }, n) => codeOf(complete(n % 2 ? ravi : uma, id))));
    expect(codes.sort()).toEqual([...Array(3).fill('ok'), ...Array(17).fill('second_operator')]);
  });

  it('is used once if the same payment by hand is recorded five times, and not by recording what a batch sent', async () => {
    const [one, inBatch] = [await asked(), await asked()];
    const payment = await sent(uma, inBatch);
    await Promise.all(Array.from({ length: 5 }, () => complete(ravi, one.id, `UTR of ${one.id}`)));
    await record(ravi, { id: payment, state: 'paid', reference: `UTR ${v7()}` });
    expect(await codeOf(complete(ravi, (await asked()).id))).toBe('ok');
    expect(await codeOf(complete(ravi, (await asked()).id))).toBe('second_operator');
  });
});

describe('an operator whom another one appointed less than 72 hours ago', () => {
  it('records nothing about payments, so that nobody records a failure by a second account and pays again', async () => {
    const helper = await signUpSomebody(server, 'Helper');
    expect(await codeOf(post(ravi, `people/role/${helper.id}`, { role: 'administrator' }))).toBe('ok');
    await makeOperator(server, helper.id);
    const one = await asked();
    const payment = await sent(ravi, one);
    const failure = { id: payment, state: 'failed' as const, reason: 'No such account' };
    expect(await codeOf(post(helper, 'payouts/record', { payments: [failure] }))).toBe('new_operator');
    expect(await codeOf(complete(helper, (await asked()).id))).toBe('new_operator');
    expect(await recordPayments(at(3 * day + 60_000), as(helper), [failure])).toMatchObject([
      { result: 'noted' },
    ]);
  });
});

describe('money that goes to a destination which an operator has or had', () => {
  const paidAt = (who: Person, payload: object) =>
    server.inject({ method: 'PUT', url: '/api/payout/destination', headers: who.headers, payload });
  const destined = (who: Person, name: string) => paidAt(who, { kind: 'upi', vpa: `${name}@okaxis` });
  const payableNow = () => server.db.updateTable('payout_destinations').set({ held_until: null }).execute();
  /** A second account of Ravi with the same destination, and its withdrawal. */
  async function secondAccount(name = `ravi.${v7()}`): Promise<Asked> {
    const one = await asked();
    for (const who of [ravi, one.creator]) expect((await destined(who, name)).statusCode).toBe(200);
    await payableNow();
    return one;
  }

  it('is not decided by that operator: not made, approved, sent, recorded, completed, rejected, released or void', async () => {
    const [one, other] = [await secondAccount(), await asked()];
    expect(await codeOf(make(ravi, one))).toBe('nothing_to_pay');
    expect(await codeOf(complete(ravi, one.id))).toBe('own_withdrawal');
    expect(await codeOf(post(ravi, `withdrawals/reject/${one.id}`, { reason: 'No' }))).toBe('own_withdrawal');
    const views = { month: one.month, userId: one.creator.id, reason: 'Looked at' };
    expect(await codeOf(post(ravi, 'months/release', views))).toBe('own_withdrawal');
    expect(await codeOf(post(ravi, 'months/void', { ...views, what: 'waiting' }))).toBe('own_withdrawal');
    await server.db.updateTable('withdrawals').set({ paise: 400 }).where('id', '=', other.id).execute();
    const both = { withdrawals: [one.id, other.id] };
    const { data } = (await post(uma, 'payouts/batches', both)).json();
    expect(data.state).toBe('proposed');
    expect(await codeOf(post(ravi, `payouts/batches/approve/${data._id}`))).toBe('own_withdrawal');
    await server.db
      .updateTable('payout_batches')
      .set({ state: 'approved' })
      .where('id', '=', data._id)
      .execute();
    expect(await codeOf(post(ravi, `payouts/batches/send/${data._id}`))).toBe('own_withdrawal');
    expect(await codeOf(post(uma, `payouts/batches/send/${data._id}`))).toBe('ok');
    const { _id: payment } = data.payments.find(
      (line: { withdrawalId: string }) => line.withdrawalId === one.id,
    );
    const paid = { id: payment, state: 'paid', reference: `UTR ${v7()}` };
    expect(await record(ravi, paid)).toMatchObject([{ result: 'refused' }]);
    expect(await record(uma, paid)).toMatchObject([{ result: 'noted' }]);
    // Also after the second account has changed its destination: the payment went to the operator's.
    await destined(one.creator, `other.${v7()}`);
    const back = { id: payment, state: 'returned', reason: 'Closed' };
    expect(await record(ravi, back)).toMatchObject([{ result: 'refused' }]);
  });

  it('stays theirs after they changed or removed the destination, also one of before they were an operator', async () => {
    await onlyOperators(uma);
    const one = await secondAccount();
    expect((await destined(ravi, `new.${v7()}`)).statusCode).toBe(200);
    const gone = { method: 'DELETE', url: '/api/payout/destination', headers: ravi.headers } as const;
    expect((await server.inject(gone)).statusCode).toBe(200);
    await onlyOperators(ravi, uma);
    expect(await codeOf(make(ravi, one))).toBe('nothing_to_pay');
    expect(await codeOf(complete(ravi, one.id))).toBe('own_withdrawal');
    expect(await codeOf(complete(uma, one.id))).toBe('ok');
  });

  it.each([
    ['another branch of the bank', 'HDFC0001234', 'HDFC0004321'],
    ['a bank that was merged into it', 'CNRB0001234', 'SYNB0001234'],
  ])('is theirs also with the IFSC of %s', async (_, ifsc, other) => {
    const one = await asked();
    const account = { kind: 'bank', account: '50100987654321', name: 'Somebody' };
    await paidAt(ravi, { ...account, ifsc });
    await paidAt(one.creator, { ...account, ifsc: other });
    await payableNow();
    expect(await codeOf(complete(ravi, one.id))).toBe('own_withdrawal');
    await paidAt(one.creator, { ...account, ifsc: 'SBIN0001234' });
    await payableNow();
    expect(await codeOf(complete(ravi, one.id))).toBe('ok');
  });

  it('is decided by that operator once the other account is paid elsewhere', async () => {
    const one = await secondAccount();
    await destined(one.creator, `elsewhere.${v7()}`);
    await payableNow();
    expect(await codeOf(complete(ravi, one.id))).toBe('ok');
  });

  it('is known by no fingerprint after the account was deleted', async () => {
    const leaver = await signUpSomebody(server, 'Leaver');
    for (const name of ['first', 'second']) await destined(leaver, `${name}.${v7()}`);
    const rows = () =>
      server.db
        .selectFrom('payout_destinations')
        .select('earlier')
        .where('person_id', '=', leaver.id)
        .execute();
    expect(await rows()).toEqual([{ earlier: [expect.any(Buffer)] }]);
    const gone = { method: 'DELETE', url: `/api/delete/${leaver.id}`, headers: leaver.headers } as const;
    expect((await server.inject(gone)).statusCode).toBe(200);
    expect(await rows()).toEqual([]);
  });

  describe('after a hundred destinations', () => {
    const fill = async (who: Person) => {
      await sql`
        update payout_destinations set earlier = earlier || array(select sha256(n::text::bytea) from generate_series(1, 99) n)
        where person_id = ${who.id}`.execute(server.db);
    };
    const remembered = async ({ id }: Person) =>
      (
        await server.db
          .selectFrom('payout_destinations')
          .select('earlier')
          .where('person_id', '=', id)
          .executeTakeFirstOrThrow()
      ).earlier.length;

    it('a person still chooses another one, so that a thief cannot keep the owner from being paid', async () => {
      const owner = await signUpSomebody(server, 'Owner');
      for (const name of ['first', 'second']) await destined(owner, `owner.${name}`);
      await fill(owner);
      for (const name of ['third', 'fourth', 'first'])
        expect((await destined(owner, `owner.${name}`)).statusCode).toBe(200);
      expect(await remembered(owner)).toBe(100);
    });

    it("the oldest ones stay the operator's, so that nobody makes theirs forgotten", async () => {
      const one = await secondAccount();
      await destined(ravi, `next.${v7()}`);
      await fill(ravi);
      for (let more = 0; more < 3; more += 1) await destined(ravi, `more.${v7()}`);
      expect(await codeOf(complete(ravi, one.id))).toBe('own_withdrawal');
      await server.db
        .updateTable('payout_destinations')
        .set({ earlier: [] })
        .where('person_id', '=', ravi.id)
        .execute();
    });
  });
});
