import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WithdrawalForReview } from '#contract/operators.ts';
import { contextOn } from '#testing/context.ts';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { madeBatch, payableAt } from '#testing/fixtures/payouts.ts';
import { explained } from '#testing/fixtures/query-plans.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { listWithdrawals } from '../withdrawals/review.ts';

let server: TestServer;
let asha: Person;
let binod: Person;
let ravi: Person;
beforeAll(async () => {
  server = await startTestServer();
  [asha, binod, ravi] = await Promise.all([
    signUpSomebody(server, 'Asha'),
    signUpSomebody(server, 'Binod'),
    signUpSomebody(server, 'Ravi'),
  ]);
  await makeOperator(server, ravi.id);
});
afterAll(() => server.close());

const ask = async (path: string, who: Person = ravi) =>
  await server.inject({ url: `/api/operator/withdrawals${path}`, headers: who.headers });
const account = '123456789012';

describe('withdrawals', () => {
  const ids: string[] = [];
  beforeAll(async () => {
    for (const who of [asha, binod])
      await server.inject({
        method: 'PUT',
        url: '/api/payout/destination',
        payload: { kind: 'bank', account, ifsc: 'HDFC0001234', name: 'Asha Rao' },
        headers: who.headers,
      });
    for (const month of ['2024-01', '2024-02', '2024-03']) {
      ids.push((await requestedWithdrawal(server, asha.id, month)).id);
      await server.db
        .updateTable('withdrawals')
        .set({ requested_at: new Date(`2024-05-0${ids.length}T06:00:00Z`) })
        .where('id', '=', ids.at(-1) ?? '')
        .execute();
    }
    await server.inject({
      method: 'POST',
      url: `/api/operator/withdrawals/reject/${ids[0]}`,
      payload: { reason: 'Wrong account' },
      headers: ravi.headers,
    });
  });
  const listed = async (query: string) => {
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const page: { data: WithdrawalForReview[]; nextCursor: string | null } = (
        await ask(`?${query}&limit=1${cursor ? `&cursor=${cursor}` : ''}`)
      ).json();
      seen.push(...page.data.map(({ _id }) => _id));
      cursor = page.nextCursor;
    } while (cursor);
    return seen;
  };

  it('that are pending are listed oldest first, all others newest first, page after page', async () => {
    const [rejected, second, third] = ids;
    expect(await listed('state=pending')).toEqual([second, third]);
    expect(await listed('state=rejected')).toEqual([rejected]);
    expect(await listed('')).toEqual([third, second, rejected]);
    expect(await listed('month=2024-02')).toEqual([second]);
  });

  it('are shown with their evidence, and without what is secret', async () => {
    const answer = await ask(`/${ids[1]}`);
    expect(answer.json().data).toMatchObject({
      ...{ _id: ids[1], userId: asha.id, email: asha.email, status: 'pending', suspendedAt: null },
      destination: { kind: 'bank', masked: '••••9012' },
      sharing: { count: 1, people: [{ _id: binod.id, username: binod.username }] },
      ...{ batchId: null, history: [] },
    });
    const { joinedAt, months, others } = answer.json().data;
    expect(joinedAt).toEqual(expect.any(String));
    expect(months.map(({ month, state }: { month: string; state: string }) => [month, state])).toEqual(
      expect.arrayContaining([
        ['2024-03', 'pending'],
        ['2024-02', 'pending'],
      ]),
    );
    expect(others.map(({ _id }: WithdrawalForReview) => _id)).toEqual([ids[2], ids[0]]);
    expect(answer.body).not.toContain(account);
    expect((await ask(`/${ids[0]}`)).json().data).toMatchObject({
      ...{ status: 'rejected', reason: 'Wrong account', destination: null },
      history: [{ act: 'withdrawal.reject', operator: ravi.username }],
    });
  });

  it('lead to the batch of their last payment', async () => {
    const { id } = await signUpSomebody(server, 'Dev');
    const withdrawal = await requestedWithdrawal(server, id, '2024-06');
    await payableAt(server.context, id);
    const batchId = await madeBatch(server, withdrawal.id, 'approved');
    expect((await ask(`/${withdrawal.id}`)).json().data.batchId).toBe(batchId);
  });

  it('of a deleted account are shown without its name', async () => {
    const gone = await signUpSomebody(server, 'Gone');
    const { id } = await requestedWithdrawal(server, gone.id, '2024-04');
    await server.db.deleteFrom('people').where('id', '=', gone.id).execute();
    expect((await ask(`/${id}`)).json().data).toMatchObject({
      ...{ name: '', username: '', joinedAt: null, sharing: { count: 0, people: [] } },
      marks: expect.arrayContaining(['account_gone']),
    });
  });

  it.each([
    ['/018f0000-0000-7000-8005-000000000000', 404, 'There is no such withdrawal.'],
    ['/first', 400, 'This id is not valid.'],
    ['?state=late', 400, 'state is one of pending, completed, rejected.'],
  ])('are not found by %s, with one sentence', async (path, status, sentence) => {
    const answer = await ask(path);
    expect([answer.statusCode, answer.json().error]).toEqual([status, sentence]);
  });

  it('are 404 without the operator role, also for their creator', async () => {
    for (const path of ['', `/${ids[1]}`]) expect((await ask(path, asha)).statusCode).toBe(404);
  });
});

it('the first page of 100,000 withdrawals comes from an index, by any filter', async () => {
  await sql`insert into withdrawals (id, creator_id, month, coins, paise, state, reason, requested_at, decided_at)
    select gen_random_uuid(), gen_random_uuid(), case when n % 5003 = 0 then '2023-01' else '2023-02' end, 500, 100,
      case when n % 2003 = 0 then 'pending' else 'rejected' end, case when n % 2003 <> 0 then 'Spam' end,
      timestamptz '2023-04-01' + n * interval '1 s', case when n % 2003 <> 0 then now() end
    from generate_series(1, 100000) n`.execute(server.db);
  await sql`analyze withdrawals`.execute(server.db);
  // Tests without a server have another key.
  await server.db.deleteFrom('payout_destinations').execute();
  const { db, plans } = explained(server.url);
  const context = contextOn(db);
  const filters = [
    {},
    { state: 'pending' },
    { state: 'rejected' },
    { month: '2023-01' },
    { month: '2023-02' },
  ] as const;
  for (const filter of filters) await listWithdrawals(context, { limit: 24, ...filter });
  const lists = (await plans()).filter((plan) => plan.includes('on withdrawals'));
  expect(lists.length).toBeGreaterThanOrEqual(filters.length);
  for (const plan of lists) {
    expect(plan).toMatch(/withdrawals_(newest|by_state|of_month|of_creator|pkey)/);
    expect(plan).not.toContain('Seq Scan on withdrawals');
  }
});
