import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Proposal } from '#contract/proposals.ts';
import type { Due } from '#contract/today.ts';
import { closedMonthOf } from '#testing/fixtures/months.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

/* What no operator does alone: suspending without an end, and voiding views. */
const start = new Date('2026-11-10T06:00:00Z');
const day = 24 * 3_600_000;
let server: TestServer;
let asha: Person;
let mona: Person;
let omar: Person;
let pia: Person;
let pavan: Person;
beforeAll(async () => {
  server = await startTestServer();
  server.now.value = start;
  [mona, omar, pia, pavan] = await Promise.all([
    signUpSomebody(server, 'Mona'),
    signUpSomebody(server, 'Omar'),
    signUpSomebody(server, 'Pia'),
    signUpSomebody(server, 'Pavan'),
  ]);
  for (const { id } of [mona, omar]) await makeOperator(server, id, start, 'moderator');
  for (const { id } of [pia, pavan]) await makeOperator(server, id, start, 'payer');
});
afterAll(() => server.close());
beforeEach(async () => {
  server.now.value = start;
  await server.db.deleteFrom('proposals').execute();
  asha = await signUpSomebody(server, 'Asha');
});

const as = async ({ headers }: Person, path: string, payload?: object) => {
  const url = `/api/operator/${path}`;
  const answer = await server.inject({
    ...{ method: payload ? 'POST' : 'GET', url, headers },
    ...(payload ? { payload } : {}),
  });
  return { ...answer.json(), status: answer.statusCode };
};
const end = (who: Person) =>
  as(who, `people/suspend/${asha.id}`, { rule: 'hate', reason: 'Again and again' });
const approve = (who: Person, id: string) => as(who, `proposals/approve/${id}`, {});
const listed = async (who: Person): Promise<Proposal[]> => (await as(who, 'proposals')).data;
const acts = async () =>
  (await as(mona, `log?about=person:${asha.id}`)).data.map(({ act, operator }: Record<string, string>) => [
    act,
    operator,
  ]);
const isSuspended = async () => {
  const row = server.db.selectFrom('people').select('suspended_at').where('id', '=', asha.id);
  return (await row.executeTakeFirstOrThrow()).suspended_at !== null;
};
const hears = async () =>
  (await server.db.selectFrom('notifications').select('kind').where('person_id', '=', asha.id).execute()).map(
    ({ kind }) => kind,
  );

describe('a suspension without an end', () => {
  it('is proposed by one operator and approved by another, who does it; until then nobody hears of it', async () => {
    const { proposal, data } = await end(mona);
    expect([data.suspendedAt, await isSuspended(), await hears()]).toEqual([null, false, []]);
    const about = { _id: proposal, act: 'suspend', userId: asha.id, rule: 'hate', reason: 'Again and again' };
    expect(await listed(mona)).toMatchObject([{ ...about, mine: true, hasApprover: true }]);
    expect(await listed(omar)).toMatchObject([{ ...about, mine: false, by: mona.username }]);
    const due = (await as(omar, 'today')).data.find(({ what }: Due) => what === 'suspensions');
    expect(due).toMatchObject({ count: 1, at: start.toISOString() });
    expect((await approve(omar, proposal)).status).toBe(200);
    expect([await isSuspended(), await hears(), await listed(omar)]).toEqual([
      true,
      ['account_suspended'],
      [],
    ]);
    expect(await acts()).toEqual(
      expect.arrayContaining([
        ['person.suspend', omar.username],
        ['proposal.approve', omar.username],
        ['proposal.suspend', mona.username],
      ]),
    );
  });

  it('is not approved by who proposed it, nor by who may not propose it, nor by a new operator', async () => {
    const { proposal } = await end(mona);
    expect(await approve(mona, proposal)).toMatchObject({ status: 403, code: 'second_operator' });
    expect(await approve(pia, proposal)).toMatchObject({ status: 403, code: 'not_allowed' });
    expect(await listed(pia)).toEqual([]);
    const helper = await signUpSomebody(server, 'Helper');
    const admin = await signUpSomebody(server, 'Admin');
    await makeOperator(server, admin.id, start);
    await as(admin, `people/role/${helper.id}`, { role: 'moderator' });
    await makeOperator(server, helper.id, start, 'moderator');
    expect(await approve(helper, proposal)).toMatchObject({ status: 403, code: 'new_operator' });
    expect(await isSuspended()).toBe(false);
    const both = [admin.id, helper.id];
    await server.db.updateTable('people').set({ role: 'person' }).where('id', 'in', both).execute();
  });

  it('waits and says so where there is no other operator', async () => {
    await server.db.updateTable('people').set({ role: 'person' }).where('id', '=', omar.id).execute();
    const { proposal } = await end(mona);
    expect(await listed(mona)).toMatchObject([{ _id: proposal, hasApprover: false }]);
    await makeOperator(server, omar.id, start, 'moderator');
    expect(await listed(mona)).toMatchObject([{ _id: proposal, hasApprover: true }]);
  });

  it('is one proposal and one suspension, however often both are sent', async () => {
    const sent = await Promise.all([end(mona), end(mona), end(omar)]);
    expect(new Set(sent.map(({ proposal }) => proposal)).size).toBe(1);
    const [{ by } = { by: '' }] = await listed(mona);
    const other = by === mona.username ? omar : mona;
    const answers = await Promise.all([1, 2, 3].map(() => approve(other, sent[0]?.proposal)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await hears()).toEqual(['account_suspended']);
    expect((await end(mona)).proposal).toBeNull();
  });

  it('ends after seven days without an answer', async () => {
    const { proposal } = await end(mona);
    const proposed_at = new Date(start.getTime() - 7 * day);
    await server.db.updateTable('proposals').set({ proposed_at }).where('id', '=', proposal).execute();
    expect([await listed(omar), (await approve(omar, proposal)).status]).toEqual([[], 404]);
    expect((await end(mona)).proposal).not.toBe(proposal);
    expect(await isSuspended()).toBe(false);
  });

  it('is declined with a reason for the log, and nobody hears of it', async () => {
    const { proposal } = await end(mona);
    const decline = (who: Person) => as(who, `proposals/decline/${proposal}`, { reason: 'Too hard' });
    expect([(await decline(omar)).status, (await decline(omar)).status]).toEqual([200, 200]);
    expect(await approve(omar, proposal)).toMatchObject({ status: 409, code: 'case_decided' });
    expect([await isSuspended(), await hears(), await listed(omar)]).toEqual([false, [], []]);
    expect(await acts()).toContainEqual(['proposal.decline', omar.username]);
  });

  it('leaves its case open and unclaimed for the second operator', async () => {
    const reported = { kind: 'person', id: asha.id, reason: 'hate' };
    await server.inject({ method: 'POST', url: '/api/report', payload: reported });
    const { id } = await server.db
      .selectFrom('cases')
      .select('id')
      .where('target_id', '=', asha.id)
      .executeTakeFirstOrThrow();
    await as(mona, `reports/take-up/${id}`, {});
    const { proposal } = await end(mona);
    const shown = (await as(omar, `reports/${id}`)).data;
    expect([shown.closedAt, shown.claim]).toEqual([null, null]);
    expect(shown.history).toContainEqual(expect.objectContaining({ act: 'proposal.suspend' }));
    expect((await approve(omar, proposal)).status).toBe(200);
    expect((await as(omar, `reports/${id}`)).data.closedBy).toBe(omar.username);
  });
});

describe('views', () => {
  const month = '2025-02';
  const declare = async (who: Person) => {
    await closedMonthOf(server.db, month, { creatorIds: [asha.id], views: 1200 });
    return await as(who, 'months/void', { month, userId: asha.id, reason: 'A script' });
  };

  it('become void when a second payer approves it', async () => {
    const { proposal, data } = await declare(pia);
    expect([data, await hears()]).toEqual([null, []]);
    expect(await listed(pavan)).toMatchObject([{ act: 'void', month, what: 'waiting', reason: 'A script' }]);
    expect(await listed(mona)).toEqual([]);
    expect(await approve(pia, proposal)).toMatchObject({ status: 403, code: 'second_operator' });
    expect((await approve(pavan, proposal)).status).toBe(200);
    expect(await hears()).toEqual(['month_void']);
  });

  it.each([
    ['withdrawals/reject/', { reason: 'No', waiting: 'void_paid' }],
    ['withdrawals/complete/', { reason: 'No', reference: 'UTR 1', waiting: 'void' }],
    ['payouts/batches', { reason: 'No', waiting: 'void' }],
    ['payouts/batches/approve/', { reason: 'No', waiting: 'void' }],
  ])('become void by no other call alone: %s', async (path, payload) => {
    const id = path.endsWith('/') ? '018f0000-0000-7000-8000-000000000000' : '';
    expect(await as(pia, `${path}${id}`, payload)).toMatchObject({ status: 403, code: 'second_operator' });
  });
});
