import { afterAll, beforeAll, expect, it } from 'vitest';
import { monthOf } from '#server/platform/clock.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { closeAgain } from '#testing/fixtures/months.ts';
import { reopenMonths } from '#testing/fixtures/watching.ts';
import { signUpOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { addToMonths } from '../month-counts/months.ts';
import { voidMonth } from './releases.ts';

/** Months of this site with waiting views: 1,000 pay without an established account. */
const month = '2025-02';
let server: TestServer;
let ravi: Person;
beforeAll(async () => {
  server = await startTestServer();
  ravi = await signUpOperator(server, 'Ravi');
});
afterAll(() => server.close());

/** A creator with views in a finished month, which is counted. */
async function creator(views: number, of = month): Promise<Person> {
  const person = await signUpSomebody(server, 'Creator');
  await reopenMonths(server.db);
  await inTransaction(server.db, (trx) => addToMonths(trx, [{ creatorId: person.id, month: of, views }]));
  await closeAgain(server.context);
  return person;
}
const call = (path: string, payload?: object) =>
  server.inject({
    method: payload ? 'POST' : 'GET',
    url: `/api/operator/months/${path}`,
    headers: ravi.headers,
    ...(payload ? { payload } : {}),
  });
/** All pages of the list, one month at a time. */
async function waiting(): Promise<{ userId: string; month: string }[]> {
  const all: { userId: string; month: string }[] = [];
  let cursor: string | null = '';
  do {
    const answer: { data: typeof all; nextCursor: string | null } = (
      await call(`waiting?limit=1${cursor && `&cursor=${cursor}`}`)
    ).json();
    all.push(...answer.data);
    cursor = answer.nextCursor;
  } while (cursor);
  return all;
}
const kinds = async ({ id }: Person) => {
  const rows = await server.db
    .selectFrom('notifications')
    .select('kind')
    .where('person_id', '=', id)
    .where('kind', '<>', 'new_device')
    .execute();
  return rows.map(({ kind }) => kind);
};
const acts = async (targetId: string) =>
  (await server.inject({ url: '/api/operator/log?limit=100', headers: ravi.headers }))
    .json()
    .data.filter((one: { targetId: string }) => one.targetId === targetId)
    .map(({ act }: { act: string }) => act);

it('lists finished months with waiting views and the evidence, newest first', async () => {
  const [many, later, few, running] = [
    await creator(1519),
    await creator(1010, '2025-03'),
    await creator(1000),
    await creator(5000, monthOf(new Date(), server.context.config.timeZone)),
  ];
  const found = await waiting();
  expect(found.filter(({ userId }) => [many.id, later.id, few.id, running.id].includes(userId))).toEqual([
    expect.objectContaining({ userId: later.id, month: '2025-03', waiting: 10, coins: 1 }),
    {
      userId: many.id,
      name: 'Creator',
      username: many.username,
      month,
      monthLabel: 'February 2025',
      watched: 1519,
      paid: 1000,
      waiting: 519,
      coins: 51,
      established: 0,
      accountViews: 0,
      lookAskedAt: null,
    },
  ]);
});

it('releases the waiting views of one creator once, notifies them, and then no longer lists them', async () => {
  const [person, other] = [await creator(1200), await creator(1300)];
  const body = { month, userId: person.id, reason: 'A new site' };
  const answers = await Promise.all([call('release', body), call('release', body)]);
  expect(answers.flatMap((answer) => answer.json().data)).toMatchObject([
    { userId: person.id, month, views: 200, coins: 20 },
  ]);
  const users = (await waiting()).map(({ userId }) => userId);
  expect([users.includes(person.id), users.includes(other.id)]).toEqual([false, true]);
  expect([await kinds(person), await kinds(other)]).toEqual([['month_released'], []]);
  expect(await acts(person.id)).toEqual(['month.release']);
});

it('declares views void once, notifies their creator with the reason, and then no longer lists them', async () => {
  const person = await creator(1200);
  const declare = (what: 'waiting' | 'paid') => {
    const which = { month, creatorId: person.id, what, reason: 'A script' };
    return voidMonth(server.context, { id: ravi.id, name: ravi.username }, which);
  };
  expect(await declare('waiting')).toMatchObject({ userId: person.id, views: 200, coins: 0 });
  expect(await declare('waiting')).toBeUndefined();
  expect(await declare('paid')).toMatchObject({
    views: 1000,
    coins: 100,
    countsIn: month,
  });
  expect((await waiting()).map(({ userId }) => userId)).not.toContain(person.id);
  expect(await kinds(person)).toEqual(['month_void', 'month_void']);
  expect(await acts(person.id)).toEqual(['month.void', 'month.void']);
  const url = `/api/user-earnings/month/${person.id}/${month}`;
  const shown = (await server.inject({ url, headers: person.headers })).json().data;
  expect(shown).toMatchObject({
    totalCoins: 0,
    decisions: [{ act: 'void', reason: 'A script' }, { views: 1000 }],
  });
});

it("shows the creator's request for a look, possible once a month while views wait", async () => {
  const [person, other] = [await creator(1200), await creator(1000)];
  const ask = (of: Person, userId = of.id) =>
    server.inject({
      method: 'POST',
      url: '/api/user-earnings/look',
      headers: of.headers,
      payload: { userId },
    });
  expect((await ask(other)).json().code).toBe('nothing_waits');
  expect((await ask(other, person.id)).json().code).toBe('not_yours');
  const { askedAt } = (await ask(person)).json().data;
  server.now.value = new Date(server.now.value.getTime() + 60_000);
  expect((await ask(person)).json().data).toEqual({ askedAt });
  const history = { url: `/api/user-earnings/history/${person.id}`, headers: person.headers };
  expect((await server.inject(history)).json().data.lookAskedAt).toBe(askedAt);
  expect((await waiting()).find(({ userId }) => userId === person.id)).toMatchObject({
    lookAskedAt: askedAt,
  });
});

it("refuses an operator's decision about their own views, a request without a reason, and people who are no operators", async () => {
  await reopenMonths(server.db);
  await inTransaction(server.db, (trx) => addToMonths(trx, [{ creatorId: ravi.id, month, views: 1200 }]));
  await closeAgain(server.context);
  for (const path of ['release', 'void']) {
    const own = await call(path, { month, userId: ravi.id, reason: 'Mine' });
    expect([own.statusCode, own.json().code]).toEqual([403, 'own_withdrawal']);
    expect((await call(path, { month, userId: ravi.id, reason: ' ' })).statusCode).toBe(400);
    const person = await creator(1200);
    const payload = { month, userId: person.id, reason: 'Mine' };
    const url = `/api/operator/months/${path}`;
    expect((await server.inject({ method: 'POST', url, headers: person.headers, payload })).statusCode).toBe(
      404,
    );
  }
  // A release for all creators leaves out the operator's own month.
  const all = (await call('release', { month, reason: 'A new site' })).json().data;
  expect(all.map(({ userId }: { userId: string }) => userId)).not.toContain(ravi.id);
});
