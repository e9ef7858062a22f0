import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { earnReleased, requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { lockedPayouts, unlockedPayouts } from '#testing/fixtures/payouts.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import { startRazorpayx } from '#testing/servers/razorpayx.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { lockPayouts } from '../withdrawals/payout-lock.ts';
import { makeBatch } from './batches.ts';

/* What operators do after a restore, by API calls (docs/decisions/0069-after-a-restore.md). */
const month = '2020-01';
const at = new Date();
let razorpayx: Awaited<ReturnType<typeof startRazorpayx>>;
let server: TestServer;
let ravi: Person;
let uma: Person;
beforeAll(async () => {
  razorpayx = await startRazorpayx();
  const { PAYER: _, ...settings } = razorpayx.settings;
  server = await startTestServer({ ROLE: 'web', ...settings });
  ravi = await signUpSomebody(server, 'Ravi');
  uma = await signUpSomebody(server, 'Uma');
  for (const { id } of [ravi, uma]) await makeOperator(server, id);
});
afterAll(async () => {
  await server.close();
  await razorpayx.close();
});
beforeEach(async () => {
  await unlockedPayouts(server.db);
  await forgetActs();
});

const lock = () => lockPayouts(server.db, { snapshotAt: at, restoredAt: at });
const url = (path: string) => `/api/operator/payouts/${path}`;
const post = (who: Person, path: 'name' | 'reconcile', payload: object) =>
  server.inject({ method: 'POST', url: url(path), headers: who.headers, payload });
const shown = async (who = ravi) => (await server.inject({ url: url('lock'), headers: who.headers })).json();
const asked = async (by?: Person) => {
  const creator = by ?? (await signUpSomebody(server, 'Creator'));
  return { creator, id: (await requestedWithdrawal(server, creator.id, month)).id };
};
const stateOf = async (id: string) =>
  (await server.db.selectFrom('withdrawals').select('state').where('id', '=', id).executeTakeFirst())?.state;
const logged = () =>
  server.db.selectFrom('audit_log').select(['id', 'act', 'operator_id']).orderBy('id').execute();
let before = new Set<string>();
const forgetActs = async () => {
  before = new Set((await logged()).map(({ id }) => id));
};
const acts = async () =>
  (await logged()).filter(({ id }) => !before.has(id)).map((one) => [one.act, one.operator_id]);

describe('the endpoint that reconciles after a restore', () => {
  it('compares what was paid, ignores a repeated call, and lifts the lock when the record is complete; each act is logged', async () => {
    const one = await asked();
    const batch = await makeBatch(
      server.context,
      { id: ravi.id, name: 'Ravi' },
      {
        withdrawals: [one.id],
      },
    );
    await forgetActs();
    await lock();
    expect(await shown()).toMatchObject({
      lock: { since: at.toISOString(), unmatched: 0 },
      unmatched: [],
    });
    const payments = [{ id: batch.payments[0]?._id, rupees: '1.00', state: 'paid', reference: 'UTR 1' }];
    const first = await post(ravi, 'reconcile', { payments });
    expect(first.headers['cache-control']).toBe('no-store');
    expect(first.json()).toMatchObject({ noted: 1, unchanged: 0, unmatched: [], lock: { unmatched: 0 } });
    expect((await post(ravi, 'reconcile', { payments })).json()).toMatchObject({ noted: 0, unchanged: 1 });
    expect(await stateOf(one.id)).toBe('completed');
    expect((await post(ravi, 'reconcile', { payments, complete: true })).json()).toMatchObject({
      lock: null,
    });
    expect(await shown()).toEqual({ status: 'ok', lock: null, unmatched: [] });
    const again = await post(ravi, 'reconcile', { payments, complete: true });
    expect([again.statusCode, again.json().error]).toEqual([409, 'Payouts are not locked.']);
    expect(await acts()).toEqual([
      ['withdrawal.complete', ravi.id],
      ['payout.unlock', ravi.id],
    ]);
  });

  it('lifts the lock if an operator says that nothing was paid, and nothing else with it', async () => {
    await lock();
    const payments = [{ reference: 'UTR 2', state: 'paid' }];
    for (const more of [{ payments }, { complete: true }]) {
      const refused = await post(ravi, 'reconcile', { none: true, ...more });
      expect([refused.statusCode, refused.json().error]).toEqual([
        400,
        'none stands alone: it says that nothing was paid.',
      ]);
    }
    expect((await post(ravi, 'reconcile', { none: true })).json()).toMatchObject({ lock: null });
    expect(await acts()).toEqual([['payout.unlock', ravi.id]]);
  });

  it('does not lift the lock while a payment is not identified', async () => {
    const key = await lockedPayouts(server.db);
    for (const said of [{ complete: true }, { none: true }])
      expect((await post(ravi, 'reconcile', said)).json()).toMatchObject({
        lock: { unmatched: 1 },
        unmatched: [{ payment: key, why: 'Nothing here has this id or reference.' }],
      });
    expect(await acts()).toEqual([]);
  });

  it.each([
    [{ rupees: '1.00' }, 'A payment needs its id, or the reference of the payer.'],
    [{ id: v7(), state: 'paid' }, "Please give the payer's reference."],
    [{ id: v7(), rupees: '1,00' }, 'rupees is an amount such as 12.50.'],
    [{ id: v7(), state: 'lost' }, 'state is sent, paid, failed or returned.'],
  ])('stores nothing of a record in which one payment is wrong: %o', async (payment, sentence) => {
    const one = await asked();
    await lock();
    const right = { withdrawal: one.id, rupees: '1.00', state: 'paid', reference: 'UTR 3' };
    const refused = await post(ravi, 'reconcile', { payments: [right, payment] });
    expect([refused.statusCode, refused.json().error]).toEqual([400, sentence]);
    expect(await stateOf(one.id)).toBe('pending');
  });

  it("changes nothing while the payer's API does not return its record", async () => {
    await lock();
    razorpayx.faults.push({ at: '/v1/payouts', method: 'GET', answer: { status: 500, body: '{}' } });
    const refused = await post(ravi, 'reconcile', { complete: true });
    expect([refused.statusCode, refused.json().error]).toEqual([
      503,
      'The payer did not give its record: RazorpayX answered GET /v1/payouts with 500',
    ]);
    expect((await shown()).lock).not.toBeNull();
    expect((await post(ravi, 'reconcile', { complete: true })).json()).toMatchObject({ lock: null });
  });
});

describe('the endpoint that identifies a payment after a restore', () => {
  const unknown = (more: object = {}) => ({ id: v7(), state: 'paid', reference: `UTR ${v7()}`, ...more });

  it('identifies a withdrawal, the month of a lost request, or something else; ignores a repeated call, and is logged', async () => {
    const [one, other] = [await asked(), await signUpSomebody(server, 'Creator')];
    await earnReleased(server.db, other.id, month);
    await lock();
    const payments = [unknown({ rupees: '1.00' }), unknown({ rupees: '1.00' }), unknown()];
    const compared = (await post(ravi, 'reconcile', { payments })).json();
    expect(compared).toMatchObject({ noted: 0, lock: { unmatched: 3 } });
    const names = [
      { withdrawal: one.id },
      { userId: other.id, month: 'January 2020' },
      { other: 'The rent' },
    ];
    for (const [place, name] of names.entries())
      for (const _time of ['once', 'and again']) {
        const named = await post(ravi, 'name', { payment: payments[place]?.id, ...name });
        expect(named.json()).toMatchObject({ status: 'ok', lock: { unmatched: 2 - place } });
      }
    expect((await acts()).map(([act]) => act).sort()).toEqual([
      'payout.name',
      'payout.name',
      'payout.name',
      'withdrawal.complete',
      'withdrawal.complete',
    ]);
    expect((await post(ravi, 'reconcile', { payments, complete: true })).json()).toMatchObject({
      noted: 0,
      lock: null,
    });
    const rows = await server.db
      .selectFrom('withdrawals')
      .select('state')
      .where('creator_id', 'in', [one.creator.id, other.id])
      .execute();
    expect(rows.map(({ state }) => state)).toEqual(['completed', 'completed']);
  });

  it.each([
    ['nothing', {}],
    ['two things', { withdrawal: v7(), other: 'The rent' }],
    ['a person without a month', { userId: v7() }],
    ['a month of nobody', { month }],
    ['a month beside something else', { month, other: 'The rent' }],
  ])('is refused for %s', async (_what, name) => {
    const payment = await lockedPayouts(server.db);
    const refused = await post(ravi, 'name', { payment, ...name });
    expect([refused.statusCode, refused.json().error]).toEqual([
      400,
      'Please say one: which withdrawal, whose month, or what else this payment is.',
    ]);
  });

  it('is refused with the reason if the payment does not match', async () => {
    const one = await asked();
    await lock();
    const payment = unknown({ rupees: '1.01' });
    await post(ravi, 'reconcile', { payments: [payment] });
    const naming = async (name: object) => {
      const answer = await post(ravi, 'name', { payment: payment.id, ...name });
      return [answer.statusCode, answer.json().code];
    };
    expect(await naming({ withdrawal: one.id })).toEqual([409, 'payment_unmatched']);
    expect(await naming({ withdrawal: v7() })).toEqual([404, 'not_found']);
    // The response is not about the operator's own session.
    expect(await naming({ userId: v7(), month })).toEqual([404, 'not_found']);
    expect(await naming({ userId: one.creator.id, month })).toEqual([409, 'amount_differs']);
    const nothing = await post(ravi, 'name', { payment: 'reference UTR 9', other: 'The rent' });
    expect(nothing.json().code).toBe('not_found');
    expect(await stateOf(one.id)).toBe('pending');
    expect((await shown()).lock.unmatched).toBe(1);
  });

  it("is refused for the operator's own payment, also as something else; another operator can do it", async () => {
    const own = await asked(ravi);
    await lock();
    // The record has another amount, so that it is not matched automatically.
    const payment = unknown({ withdrawal: own.id, rupees: '1.01' });
    await post(uma, 'reconcile', { payments: [payment] });
    const stranger = await asked();
    for (const name of [{ withdrawal: own.id }, { withdrawal: stranger.id }, { other: 'The rent' }]) {
      const refused = await post(ravi, 'name', { payment: payment.id, ...name });
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'own_withdrawal']);
    }
    expect((await post(uma, 'name', { payment: payment.id, other: 'The rent' })).json()).toMatchObject({
      lock: { unmatched: 0 },
    });
    expect(await acts()).toEqual([['payout.name', uma.id]]);
  });

  it('first polls the payer about the earlier payment, and ends one that the payer does not have', async () => {
    const one = await asked();
    const operator = { id: ravi.id, name: 'Ravi' };
    const { payments } = await makeBatch(server.context, operator, { withdrawals: [one.id] });
    const values = { state: 'sent', payer: 'razorpayx', sent_at: at } as const;
    const before = payments[0]?._id ?? '';
    await server.db.updateTable('payout_attempts').set(values).where('id', '=', before).execute();
    await lock();
    const payment = unknown({ rupees: '1.00' });
    await post(ravi, 'reconcile', { payments: [payment] });
    razorpayx.faults.push({ at: '/v1/payouts', method: 'GET', answer: { status: 500, body: '{}' } });
    const naming = () => post(ravi, 'name', { payment: payment.id, withdrawal: one.id });
    expect((await naming()).json()).toMatchObject({ code: 'unavailable' });
    expect((await shown()).lock.unmatched).toBe(1);
    expect((await naming()).json()).toMatchObject({ lock: { unmatched: 0 } });
    const attempts = await server.db
      .selectFrom('payout_attempts')
      .select(['id', 'state'])
      .where('withdrawal_id', '=', one.id)
      .orderBy('number')
      .execute();
    expect(attempts).toEqual([
      { id: before, state: 'cancelled' },
      { id: payment.id, state: 'paid' },
    ]);
  });

  it('is refused for another withdrawal than the one in the record', async () => {
    const [one, other] = [await asked(), await asked()];
    await lock();
    const payment = unknown({ withdrawal: one.id, rupees: '1.01' });
    await post(ravi, 'reconcile', { payments: [payment] });
    const refused = await post(ravi, 'name', { payment: payment.id, withdrawal: other.id });
    expect([refused.statusCode, refused.json().error]).toEqual([
      409,
      `The record says that it is of the withdrawal ${one.id}.`,
    ]);
    expect(await stateOf(other.id)).toBe('pending');
  });
});
