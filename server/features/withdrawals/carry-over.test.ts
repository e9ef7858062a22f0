import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { earnReleased } from '#testing/fixtures/earnings.ts';
import { payableAt } from '#testing/fixtures/payouts.ts';
import { reopenMonths } from '#testing/fixtures/watching.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { withoutGuard } from '#testing/without-guard.ts';
import { auditLedger } from '../earnings/audit.ts';
import { addToMonths } from '../month-counts/months.ts';
import { closeMonths } from '../months/closing.ts';
import { completeWithdrawal } from '../payers/by-hand.ts';
import { rejectWithdrawal } from './review.ts';

/** Noon of the 15th of November 2026 in India. */
const now = new Date('2026-11-15T06:30:00Z');
const [july, august, september, october] = ['2026-07', '2026-08', '2026-09', '2026-10'] as const;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.now.value = now;
});
beforeEach(() => reopenMonths(server.db));
afterAll(() => server.close());

const contextNow = () => ({ ...contextAt(server.db, now), keyring: server.keyring });
/** A creator with these coins by month, which an operator released. */
async function creatorWith(coins: Record<string, number>): Promise<Person> {
  const person = await signUpSomebody(server);
  await payableAt(server, person.id);
  for (const [month, released] of Object.entries(coins))
    await earnReleased(server.db, person.id, month, released);
  return person;
}
const ask = async ({ id, headers }: Person, month: string, totalRupee: string | number) =>
  await server.inject({
    method: 'POST',
    url: '/api/user-earnings/request',
    headers,
    payload: { userId: id, month, totalRupee },
  });
const get = async ({ id, headers }: Person, path: string) =>
  (await call(server, { url: `/api/user-earnings/${path.replace('/me', `/${id}`)}`, headers })).data;
const history = async (person: Person) => {
  const { data, balance } = await get(person, 'history/me');
  const months = Object.fromEntries(data.map((one: { monthKey: string }) => [one.monthKey, one]));
  return { months, balance: Object.values(balance) };
};
const statuses = (person: Person) => get(person, 'withdraw-status/me');
const differences = async (creatorId: string) => {
  const { differences } = await auditLedger(contextOn(server.db));
  const withdrawals = await server.db
    .selectFrom('withdrawals')
    .select('id')
    .where('creator_id', '=', creatorId)
    .execute();
  const own = [creatorId, ...withdrawals.map(({ id }) => id)];
  return differences.filter(({ id }) => own.includes(id)).map(({ figure }) => figure);
};

describe('months under a rupee', () => {
  it('are paid with a later month that reaches a rupee, for the amount of that month or of all', async () => {
    for (const totalRupee of ['0.40', '1.00']) {
      const person = await creatorWith({ [august]: 249, [september]: 50, [october]: 201 });
      const { months, balance } = await history(person);
      expect(months[october]).toMatchObject({
        rupees: '0.40',
        state: 'withdrawable',
        payableRupees: '1.00',
        carries: [august, september],
      });
      expect(months[september]).toMatchObject({ state: 'too_little', withdrawable: false, carries: [] });
      expect(balance).toEqual([100, 0, 0]);
      const answer = await ask(person, october, totalRupee);
      expect(answer.json().data).toMatchObject({
        coins: 201,
        totalRupee: '1.00',
        carried: [
          { month: august, coins: 249 },
          { month: september, coins: 50 },
        ],
      });
      expect(await statuses(person)).toEqual({
        [august]: 'pending',
        [september]: 'pending',
        [october]: 'pending',
      });
      const after = await history(person);
      expect(after.months[august]).toMatchObject({ state: 'pending', status: 'pending', carriedBy: october });
      expect(after.balance).toEqual([0, 100, 0]);
      expect(await differences(person.id)).toEqual([]);
    }
  });

  it('are refused if they are too small together, with another amount, or without a view', async () => {
    const person = await creatorWith({ [august]: 249, [september]: 250 });
    expect((await ask(person, september, '0.99')).json().code).toBe('below_minimum');
    const enough = await creatorWith({ [august]: 250, [september]: 250 });
    expect((await ask(enough, september, '0.99')).json().code).toBe('amount_differs');
    expect((await ask(enough, august, '0.50')).json().code).toBe('below_minimum');
    // The coins of 50 reels, which no established account watched.
    const unseen = await creatorWith({ [september]: 250 });
    await inTransaction(server.db, (trx) =>
      addToMonths(trx, [{ creatorId: unseen.id, month: august, reels: 50, views: 1 }]),
    );
    await closeMonths(contextNow());
    expect((await ask(unseen, september, '0.50')).json().code).toBe('below_minimum');
    for (const one of [person, enough, unseen]) expect(await statuses(one)).toEqual({});
  });

  it('can be requested again with other months after a rejection, and are paid once', async () => {
    const person = await creatorWith({ [july]: 499, [august]: 499, [october]: 1000 });
    const first = (await ask(person, october, '2.00')).json().data;
    expect(first).toMatchObject({ paise: 399 });
    await rejectWithdrawal(contextNow(), first._id, { reason: 'No', operatorId: null });
    expect(await statuses(person)).toEqual({});
    const second = (await ask(person, august, '0.99')).json().data;
    expect(second).toMatchObject({ paise: 199, carried: [{ month: july }] });
    const third = (await ask(person, october, '2.00')).json().data;
    expect(third).toMatchObject({ paise: 200, carried: [] });
    await completeWithdrawal(contextNow(), second._id, { reference: 'UTR 610', operatorId: null });
    expect(await statuses(person)).toEqual({
      [july]: 'completed',
      [august]: 'completed',
      [october]: 'pending',
    });
    const statement = await get(person, `statement/me/${july}`);
    expect(statement).toMatchObject({ state: 'completed', paise: 99, paidPaise: 199 });
    expect(await differences(person.id)).toEqual([]);
  });

  it('are paid by one of many parallel requests for different months', async () => {
    const person = await creatorWith({ [july]: 300, [august]: 300, [september]: 300, [october]: 300 });
    const answers = await Promise.all(
      [august, september, october].flatMap((month) =>
        Array.from({ length: 5 }, () => ask(person, month, '0.60')),
      ),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).not.toContain(500);
    const requests = await server.db
      .selectFrom('withdrawals')
      .selectAll()
      .where('creator_id', '=', person.id)
      .execute();
    const paid = requests.flatMap(({ month, carried }) => [month, ...carried.map((one) => one.month)]);
    expect(new Set(paid).size).toBe(paid.length);
    expect(paid).toContain(july);
    expect(requests.reduce((sum, { paise }) => sum + paise, 0)).toBe(60 * paid.length);
    expect(await differences(person.id)).toEqual([]);
  });

  it('get the response of the request that carries them, and refuse another amount', async () => {
    const person = await creatorWith({ [september]: 300, [october]: 300 });
    const { _id } = (await ask(person, october, '1.20')).json().data;
    for (const [month, amount] of [
      [october, '0.60'],
      [october, '1.20'],
      [september, '0.60'],
    ] as const)
      expect((await ask(person, month, amount)).json().data._id).toBe(_id);
    expect((await ask(person, september, '0.61')).json().code).toBe('amount_differs');
  });

  it('are reported by the audit if two requests pay them, or if they were changed', async () => {
    const person = await creatorWith({ [september]: 300, [october]: 300 });
    expect((await ask(person, october, '1.20')).statusCode).toBe(200);
    await server.db
      .insertInto('withdrawals')
      .values({
        id: crypto.randomUUID(),
        creator_id: person.id,
        month: september,
        coins: 300,
        paise: 60,
        state: 'pending',
        requested_at: now,
      })
      .execute();
    expect(await differences(person.id)).toContain('withdrawals');
    await server.db
      .deleteFrom('withdrawals')
      .where('creator_id', '=', person.id)
      .where('month', '=', september)
      .execute();
    await withoutGuard(server.db, 'adjustments', (trx) =>
      trx
        .updateTable('adjustments')
        .set({ coins: 299 })
        .where('creator_id', '=', person.id)
        .where('counts_in', '=', september)
        .execute(),
    );
    expect(await differences(person.id)).toEqual(['released: coins', `coins of ${september}`]);
  });
});
