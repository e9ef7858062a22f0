import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { lockedPayouts, madeBatch, unlockedPayouts } from '#testing/fixtures/payouts.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { auditLedger } from '../earnings/audit.ts';
import { makeBatch } from '../payers/batches.ts';
import { updateAttempt } from './attempts.ts';
import { decide, reopen } from './withdrawals.queries.ts';

const [minute, hour] = [60_000, 3_600_000];
const start = new Date();
const month = '2025-01';

let server: TestServer;
let ravi: Person;
let uma: Person;
beforeAll(async () => {
  server = await startTestServer();
  [ravi, uma] = [await signUpSomebody(server, 'Ravi'), await signUpSomebody(server, 'Uma')];
  for (const { id } of [ravi, uma]) await makeOperator(server, id);
});
afterAll(async () => {
  const { differences } = await auditLedger(server.context);
  // The months of these tests have no content to derive them from.
  expect(differences.filter(({ what }) => what !== 'account' && what !== 'month')).toEqual([]);
  await server.close();
});
beforeEach(() => {
  server.now.value = start;
});

interface Asked extends Person {
  withdrawal: string;
}
async function asked(): Promise<Asked> {
  const person = await signUpSomebody(server);
  return { ...person, withdrawal: (await requestedWithdrawal(server, person.id, month)).id };
}
const post = (url: string, { headers }: Pick<Person, 'headers'>, payload: object = {}, more = {}) =>
  server.inject({ method: 'POST', url, payload, headers: { ...headers, ...more } });
const cancel = (by: Pick<Person, 'headers'>, of = month, more = {}) =>
  post('/api/user-earnings/cancel', by, { month: of }, more);
const removeDestination = ({ headers }: Pick<Person, 'headers'>) =>
  server.inject({ method: 'DELETE', url: '/api/payout/destination', headers });
const onBatch = (who: Person, act: 'approve' | 'send', id: string) =>
  post(`/api/operator/payouts/batches/${act}/${id}`, who);
const get = async (url: string, { headers }: Pick<Person, 'headers'>) =>
  (await server.inject({ url, headers })).json();
const shown = async (one: Asked) => (await get(`/api/user-earnings/allrequests/${one.id}`, one)).data[0];
const statuses = async (one: Person) => (await get(`/api/user-earnings/withdraw-status/${one.id}`, one)).data;
const attempts = async ({ withdrawal }: Asked) =>
  (
    await server.db
      .selectFrom('payout_attempts')
      .select('state')
      .where('withdrawal_id', '=', withdrawal)
      .execute()
  ).map(({ state }) => state);
const posted = async ({ withdrawal }: Asked) =>
  (
    await server.db
      .selectFrom('ledger_transactions')
      .select(['step', 'debit', 'credit'])
      .where('withdrawal_id', '=', withdrawal)
      .execute()
  )
    .map(({ step, debit, credit }) => `${step}: ${debit} ${credit}`)
    .sort();
const notices = async ({ id }: Person) =>
  (await get(`/api/notification/getNotifications/${id}`, await freshly(id))).data
    .map(({ kind }: { kind: string }) => kind)
    .filter((kind: string) => kind !== 'new_device');
async function freshly(id: string): Promise<Pick<Person, 'headers'>> {
  const { email } = await server.db
    .selectFrom('people')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { data } = (
    await server.inject({
      method: 'POST',
      url: '/api/signin',
      payload: { email, password: 'correct horse' },
    })
  ).json();
  return { headers: { authorization: `Bearer ${data}` } };
}
/** Sets the time, at which this person has just logged in. */
async function freshlyAt({ id }: Person, time: Date): Promise<void> {
  server.now.value = time;
  const values = { created_at: time, used_at: time };
  await server.db.updateTable('sessions').set(values).where('person_id', '=', id).execute();
}
const isSent = (states: readonly string[]) => states.includes('exported');

const requested = 'requested: earnings_expense creator_payable';
const requestedAndReversed = ['rejected: creator_payable earnings_expense', requested];

describe('a creator who cancels a request', () => {
  it('takes it back: the month is not requested any more, its entry is reversed, and it can be requested again', async () => {
    const one = await asked();
    expect(await statuses(one)).toEqual({ [month]: 'pending' });
    const answer = await cancel(one);
    expect([answer.statusCode, answer.json().data]).toMatchObject([
      200,
      { _id: one.withdrawal, status: 'rejected', payout: 'cancelled', reason: null },
    ]);
    expect(await statuses(one)).toEqual({});
    expect(await posted(one)).toEqual(requestedAndReversed);
    const { data } = await get(`/api/user-earnings/history/${one.id}`, one);
    expect(data.data[0]).toMatchObject({ withdrawable: true, payout: 'cancelled', rejection: null });
    server.now.value = new Date(start.getTime() + minute);
    const form = { userId: one.id, month, totalRupee: '1.00' };
    const again = (await post('/api/user-earnings/request', one, form)).json().data;
    expect(again).toMatchObject({ status: 'pending' });
    expect(again._id).not.toBe(one.withdrawal);
    expect(await statuses(one)).toEqual({ [month]: 'pending' });
    expect(await notices(one)).toEqual(['withdrawal_requested', 'withdrawal_cancelled']);
  });

  it('gets the same answer however often it is sent, also in parallel', async () => {
    const one = await asked();
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(one)));
    answers.push(await cancel(one));
    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json()).toEqual(answers[0]?.json());
    }
    expect(await posted(one)).toEqual(requestedAndReversed);
    expect(await notices(one)).toEqual(['withdrawal_cancelled']);
  });

  it('needs a fresh confirmation and never waits for 72 hours after a new password by a link; the same for removing a destination', async () => {
    const one = await asked();
    await server.db
      .updateTable('people')
      .set({ password_reset_at: start })
      .where('id', '=', one.id)
      .execute();
    server.now.value = new Date(start.getTime() + hour);
    for (const refused of [await cancel(one), await removeDestination(one)])
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'confirmation_required']);
    const confirmed = async (act: string, params: object) => {
      const form = { act, params, password: 'correct horse' };
      return { 'x-confirmation': (await post('/api/confirm', one, form)).json().confirmation };
    };
    const more = await confirmed('cancel_withdrawal', { month });
    expect((await cancel(one, '2025-02', more)).json().code).toBe('confirmation_required');
    expect((await cancel(one, month, more)).statusCode).toBe(200);
    const headers = { ...one.headers, ...(await confirmed('remove_destination', {})) };
    expect((await removeDestination({ headers })).statusCode).toBe(200);
  });

  it('can request the month again three times within 24 hours, and always cancel: more is refused with one sentence', async () => {
    const [one, other] = [await asked(), await asked()];
    const form = { userId: one.id, month, totalRupee: '1.00' };
    const request = () => post('/api/user-earnings/request', one, form);
    for (let round = 0; round < 3; round += 1) {
      await freshlyAt(one, new Date(start.getTime() + round * hour));
      expect((await request()).statusCode).toBe(200);
      expect((await cancel(one)).statusCode).toBe(200);
      expect((await cancel(one)).statusCode).toBe(200);
    }
    const refused = await Promise.all(Array.from({ length: 10 }, request));
    for (const answer of refused)
      expect([answer.statusCode, answer.json()]).toMatchObject([
        409,
        {
          code: 'too_many_cancellations',
          error:
            'You cancelled the withdrawal of January 2025 three times within a day. Please request it again tomorrow.',
        },
      ]);
    expect(
      (await server.db.selectFrom('withdrawals').where('creator_id', '=', one.id).select('id').execute())
        .length,
    ).toBe(3);
    // Others are not affected.
    await freshlyAt(other, server.now.value);
    expect((await cancel(other)).statusCode).toBe(200);
    const theirs = { ...form, userId: other.id };
    expect((await post('/api/user-earnings/request', other, theirs)).statusCode).toBe(200);
    await freshlyAt(one, new Date(start.getTime() + 24 * hour));
    expect((await request()).statusCode).toBe(200);
  });

  it('of a month that carries others cancels all of them, by any of these months', async () => {
    const one = await asked();
    const carry = (carried: object[]) =>
      sql`update withdrawals set carried = ${JSON.stringify(carried)}::jsonb where id = ${one.withdrawal}`.execute(
        server.db,
      );
    await carry([{ month: '2024-12', coins: 1 }]);
    expect(await statuses(one)).toEqual({ [month]: 'pending', '2024-12': 'pending' });
    expect((await cancel(one, '2024-12')).json().data).toMatchObject({ _id: one.withdrawal });
    expect(await statuses(one)).toEqual({});
    await carry([]);
  });

  it('is told that there is none if the month was never requested, or somebody else requested it', async () => {
    const [one, other] = [await asked(), await signUpSomebody(server)];
    expect((await cancel(one, '2024-03')).statusCode).toBe(404);
    expect((await cancel(other)).statusCode).toBe(404);
    expect(await statuses(one)).toEqual({ [month]: 'pending' });
  });

  it.each(['exported', 'sent', 'unknown', 'paid', 'failed', 'returned'] as const)(
    'is refused once a payer had a payment of it, also one that is %s',
    async (state) => {
      const one = await asked();
      await madeBatch(server, one.withdrawal, 'approved');
      const ended = state === 'failed' || state === 'returned';
      const values = {
        state,
        ...(ended ? { ended_at: start, reason: 'Closed' } : {}),
        ...(state === 'paid' || state === 'returned' ? { paid_at: start, reference: one.withdrawal } : {}),
      };
      const attempt = server.db.updateTable('payout_attempts').where('withdrawal_id', '=', one.withdrawal);
      await attempt.set(values).execute();
      const answer = await cancel(one);
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'already_sent']);
      expect(await statuses(one)).toEqual({ [month]: 'pending' });
      expect(await posted(one)).toHaveLength(1);
      await attempt.set({ state: 'cancelled', ended_at: start, reason: 'The end of this test' }).execute();
    },
  );

  it('is asked to wait after a restore, when it may have been paid without a trace', async () => {
    const one = await asked();
    const batch = await madeBatch(server, one.withdrawal, 'approved');
    await lockedPayouts(server.db);
    const answer = await cancel(one);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      409,
      {
        code: 'payouts_locked',
        error: 'We are checking what was paid lately. Please try again tomorrow.',
      },
    ]);
    // The destination can be removed: the payment is left out when its batch is sent.
    expect((await removeDestination(one)).statusCode).toBe(200);
    expect(await attempts(one)).toEqual(['prepared']);
    await unlockedPayouts(server.db);
    expect((await onBatch(uma, 'send', batch)).json()).toMatchObject({ data: { state: 'cancelled' } });
    expect(await attempts(one)).toEqual(['cancelled']);
  });
});

describe('an operator who pays by hand while its creator cancels the request', () => {
  const complete = ({ withdrawal }: Pick<Asked, 'withdrawal'>, reference = `UTR ${withdrawal}`) =>
    post(`/api/operator/withdrawals/complete/${withdrawal}`, ravi, { reference });
  const request = async (one: Asked) =>
    (await post('/api/user-earnings/request', one, { userId: one.id, month, totalRupee: '1.00' })).json()
      .data;
  const requestedOnceMore = [
    'completed: creator_payable payouts',
    ...requestedAndReversed,
    'requested: earnings_expense creator_payable',
  ];

  it('records the payment, as often as it is sent: it is requested again in the ledger, and its creator is told', async () => {
    const one = await asked();
    expect((await cancel(one)).statusCode).toBe(200);
    server.now.value = new Date(start.getTime() + minute);
    const answers = await Promise.all([complete(one), complete(one)]);
    for (const answer of [...answers, await complete(one)])
      expect([answer.statusCode, answer.json().data], answer.body).toMatchObject([
        200,
        { status: 'completed', payout: 'paid', reference: `UTR ${one.withdrawal}`, reason: null },
      ]);
    expect(await statuses(one)).toEqual({ [month]: 'completed' });
    expect(await posted(one)).toEqual(requestedOnceMore);
    expect(await notices(one)).toEqual(['withdrawal_paid', 'withdrawal_cancelled']);
    expect((await request(one))._id).toBe(one.withdrawal);
    expect((await cancel(one)).json().code).toBe('already_sent');
  });

  it('can record that the payment came back, and reject the request', async () => {
    const one = await asked();
    await cancel(one);
    await complete(one);
    const paid = server.db.selectFrom('payout_attempts').select('id');
    const { id } = await paid.where('withdrawal_id', '=', one.withdrawal).executeTakeFirstOrThrow();
    const returned = { id, state: 'returned', reason: 'Closed' };
    const recorded = await post('/api/operator/payouts/record', ravi, { payments: [returned] });
    expect(recorded.json().data).toMatchObject([{ result: 'noted' }]);
    expect(await statuses(one)).toEqual({ [month]: 'pending' });
    const rejected = await post(`/api/operator/withdrawals/reject/${one.withdrawal}`, ravi, { reason: 'No' });
    expect(rejected.statusCode, rejected.body).toBe(200);
    expect(await posted(one)).toHaveLength(6);
    const again = await complete(one, 'UTR of another payment');
    expect([again.statusCode, again.json().code]).toEqual([409, 'withdrawal_decided']);
  });

  it('is named the request that took its place, also one that carries its month, and records the payment there', async () => {
    const one = await asked();
    await cancel(one);
    server.now.value = new Date(start.getTime() + minute);
    const { _id: next } = await request(one);
    const carried = (carried: object[], of: string) =>
      sql`update withdrawals set month = ${of}, carried = ${JSON.stringify(carried)} where id = ${next}`.execute(
        server.db,
      );
    for (const way of ['requested', 'carried']) {
      await (way === 'carried' ? carried([{ month, coins: 500 }], '2025-02') : carried([], month));
      const answer = await complete(one);
      expect([answer.statusCode, answer.json()]).toMatchObject([
        409,
        {
          code: 'withdrawal_decided',
          error: `Its creator cancelled this withdrawal and requested the money again: if you paid it, complete the withdrawal ${next}.`,
        },
      ]);
    }
    await carried([], month);
    expect((await complete({ withdrawal: next })).statusCode).toBe(200);
    expect((await complete(one, 'UTR of another payment')).json().error).toContain(next);
    expect(await posted(one)).toEqual(requestedAndReversed);
  });

  it('while the creator requests it again has one outcome: one of the two is paid or waits', {
    timeout: 60_000,
  }, async () => {
    for (let round = 0; round < 8; round += 1) {
      const one = await asked();
      await cancel(one);
      const acts = [() => complete(one), () => request(one), () => complete(one), () => request(one)];
      await Promise.all((round % 2 === 0 ? acts : acts.toReversed()).map((act) => act()));
      const all = server.db.selectFrom('withdrawals').select('state').where('creator_id', '=', one.id);
      const states = (await all.execute()).map(({ state }) => state).sort();
      expect([['completed'], ['pending', 'rejected']]).toContainEqual(states);
    }
  });
});

describe.each([
  ['cancels the request', cancel, 'cancelled'],
  ['removes the destination', removeDestination, 'waiting_for_destination'],
] as const)('a creator who %s', (_, act, left) => {
  it.each(['proposed', 'approved'] as const)(
    'takes the payment out of a batch that is %s and not sent',
    async (state) => {
      const [one, other] = [await asked(), await asked()];
      const { _id: batch } = await makeBatch(
        server.context,
        { id: ravi.id, name: 'ravi' },
        { withdrawals: [one.withdrawal, other.withdrawal] },
      );
      const approval = { state, needs_approval: state === 'proposed', made_at: new Date(0) };
      await server.db.updateTable('payout_batches').set(approval).where('id', '=', batch).execute();
      expect((await act(one)).statusCode).toBe(200);
      expect(await attempts(one)).toEqual(['cancelled']);
      if (state === 'proposed') expect((await onBatch(uma, 'approve', batch)).statusCode).toBe(200);
      const { file } = (await onBatch(uma, 'send', batch)).json();
      expect(file).toContain(other.withdrawal);
      expect(file).not.toContain(one.withdrawal);
      expect(await shown(one)).toMatchObject({ payout: left, steps: [] });
      expect(await notices(one)).not.toContain('withdrawal_sent');
    },
  );

  it.each(['make', 'approve', 'send'] as const)(
    'while operators %s its batch has one outcome: it is sent, or it is taken back',
    { timeout: 60_000 },
    async (step) => {
      const outcomes = new Set<boolean>();
      for (let round = 0; round < 6; round += 1) {
        const one = await asked();
        const which = { withdrawals: [one.withdrawal] };
        const batch =
          step === 'make'
            ? ''
            : await madeBatch(server, one.withdrawal, step === 'send' ? 'approved' : 'proposed');
        const operate = () =>
          step === 'make' ? post('/api/operator/payouts/batches', ravi, which) : onBatch(uma, step, batch);
        const creator = () => act(one);
        const wanted = round % 2 === 0 ? [creator, operate] : [operate, creator];
        const answers = await Promise.all([...wanted, ...wanted].map((run) => run()));
        for (const { statusCode, body } of answers) expect([200, 409], body).toContain(statusCode);
        // Whatever was made or approved is sent now.
        const made = server.db.selectFrom('payout_attempts').select(['batch_id', 'state']);
        for (const { batch_id, state } of await made.where('withdrawal_id', '=', one.withdrawal).execute())
          if (state === 'prepared') await onBatch(uma, 'send', batch_id ?? '');
        const sent = isSent(await attempts(one));
        outcomes.add(sent);
        const { payout } = await shown(one);
        if (act === cancel) {
          expect(payout).toBe(sent ? 'sent' : 'cancelled');
          expect(await posted(one)).toEqual(sent ? [requested] : requestedAndReversed);
        } else expect(payout).toBe(sent ? 'sent' : left);
        expect(sent && step !== 'send', 'only what is sent at that moment can be sent').toBe(false);
      }
      expect(outcomes.size).toBeGreaterThan(0);
    },
  );
});

it('a creator who came back by a mailed link is left out of a batch that was made before, also if the destination is old', async () => {
  const one = await asked();
  const batch = await madeBatch(server, one.withdrawal, 'approved');
  const back = { password_reset_at: new Date(start.getTime() - 95 * hour) };
  await server.db.updateTable('people').set(back).where('id', '=', one.id).execute();
  expect((await onBatch(uma, 'send', batch)).json()).toMatchObject({ data: { state: 'cancelled' } });
  expect(await shown(one)).toMatchObject({ payout: 'on_hold' });
  server.now.value = new Date(start.getTime() + hour);
  expect(await shown(one)).toMatchObject({ payout: 'in_review' });
});

it('what has ended is not decided again, whoever forgets to check', async () => {
  const one = await asked();
  await cancel(one);
  const { db } = server;
  const by = { operatorId: ravi.id, now: start };
  await expect(decide(db, one.withdrawal, { state: 'rejected', reason: 'again' }, by)).rejects.toThrow();
  await expect(inTransaction(db, (trx) => reopen(trx, one.withdrawal))).rejects.toThrow();
  const other = await asked();
  await madeBatch(server, other.withdrawal, 'approved');
  await cancel(other);
  const [attempt] = await db
    .selectFrom('payout_attempts')
    .select(['id', 'state'])
    .where('withdrawal_id', '=', other.withdrawal)
    .execute();
  expect(attempt?.state).toBe('cancelled');
  const send = inTransaction(db, (trx) => updateAttempt(trx, attempt?.id ?? '', { state: 'sent' }));
  await expect(send).rejects.toThrow('cannot become sent');
});
