import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Proposal } from '#contract/proposals.ts';
import type { Due } from '#contract/today.ts';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { closedMonthOf } from '#testing/fixtures/months.ts';
import { makeOperator, signUpOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { logAct } from '../audit-log/audit-log.ts';
import { endSuspensions, suspendPerson } from './people.ts';

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
  it('leads to the undecided case about the account, whose acts lead back', async () => {
    const { proposal } = await end(mona);
    expect(await listed(omar)).toMatchObject([{ caseId: null }]);
    await server.inject({
      ...{ method: 'POST', url: '/api/report' },
      payload: { kind: 'person', id: asha.id, reason: 'hate' },
    });
    const [{ caseId }] = (await listed(omar)) as [Proposal];
    const { data } = await as(omar, `reports/${caseId}`);
    expect(data).toMatchObject({ kind: 'person', targetId: asha.id });
    expect(data.history).toMatchObject([{ act: 'proposal.suspend', details: { proposal } }]);
  });

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
    const admin = await signUpOperator(server, 'Admin', start);
    await as(admin, `people/role/${helper.id}`, { role: 'moderator' });
    await makeOperator(server, helper.id, start, 'moderator');
    expect(await approve(helper, proposal)).toMatchObject({ status: 403, code: 'new_operator' });
    expect(await isSuspended()).toBe(false);
    expect(await end(helper)).toMatchObject({ status: 403, code: 'new_operator' });
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

  it('replaces one for days, whether that came before the proposal or after it', async () => {
    const forDays = (days: number) =>
      as(omar, `people/suspend/${asha.id}`, { rule: 'spam', reason: 'Once', days });
    await forDays(3);
    const { proposal } = await end(mona);
    expect((await approve(omar, proposal)).status).toBe(200);
    const decisions = await server.db
      .selectFrom('decisions')
      .select(['rule', 'until', 'ended_at'])
      .where('person_id', '=', asha.id)
      .orderBy('decided_at')
      .orderBy('id')
      .execute();
    expect(decisions).toMatchObject([
      { rule: 'spam', ended_at: start },
      { rule: 'hate', until: null, ended_at: null },
    ]);
    server.now.value = new Date(start.getTime() + 4 * day);
    await endSuspensions(server.context);
    expect(await isSuspended()).toBe(true);
    // It is not made shorter, and nothing is left to propose.
    await forDays(1);
    expect([await isSuspended(), (await end(mona)).proposal]).toEqual([true, null]);
  });

  it('is not approved where nothing is left to do, and stays open until it is declined', async () => {
    const { proposal } = await end(mona);
    const operator = { id: null, name: 'server' };
    await suspendPerson(server.context, operator, asha.id, { rule: 'spam', reason: 'Spam' });
    expect(await approve(omar, proposal)).toMatchObject({ status: 403, code: 'second_operator' });
    expect(await listed(omar)).toMatchObject([{ _id: proposal }]);
    expect((await as(omar, `proposals/decline/${proposal}`, { reason: 'Done' })).status).toBe(200);
  });

  it('is not judged again by who proposed or approved it, if a third operator can', async () => {
    const { proposal } = await end(mona);
    await approve(omar, proposal);
    const { id, key } = await server.db
      .selectFrom('decisions')
      .select(['id', 'key'])
      .where('person_id', '=', asha.id)
      .executeTakeFirstOrThrow();
    const url = `/api/decision/${key}`;
    await server.inject({ method: 'POST', url: `/api/decision/appeal/${key}`, payload: { text: 'Not me' } });
    const { appeal_id } = await server.db
      .selectFrom('decisions')
      .select('appeal_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const isAlone = async () => (await server.inject({ url })).json().data.isAlone;
    const answer = (who: Person) =>
      as(who, `reports/answer/${appeal_id}`, { answer: 'reversed', reason: 'A mistake' });
    const third = await signUpOperator(server, 'Third', start, 'moderator');
    for (const who of [mona, omar])
      expect(await answer(who)).toMatchObject({ status: 403, code: 'own_decision' });
    expect(await isAlone()).toBe(false);
    await server.db.updateTable('people').set({ role: 'person' }).where('id', '=', third.id).execute();
    expect(await isAlone()).toBe(true);
    expect((await answer(mona)).status).toBe(200);
    expect(await isSuspended()).toBe(false);
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
  /** Each test closes its own month. */
  let months = 0;
  let month = '';
  beforeEach(() => {
    months += 1;
    month = `2025-0${months}`;
  });
  const reason = 'A script';
  const close = () => closedMonthOf(server.db, month, { creatorIds: [asha.id], views: 1200 });
  const propose = (who: Person, what: 'waiting' | 'paid' = 'waiting') =>
    as(who, 'months/void', { month, userId: asha.id, what, reason });
  const declare = async (who: Person) => {
    await close();
    return await propose(who);
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

  it('are not declared void twice, and not by a new operator', async () => {
    const helper = await signUpSomebody(server, 'Helper');
    const appointed = {
      act: 'person.make-operator',
      target: { kind: 'person', id: helper.id },
      details: { role: 'payer', childSafety: false },
    } as const;
    const by = { id: pavan.id, name: pavan.username };
    await server.db.transaction().execute((trx) => logAct(trx, by, appointed, start));
    await makeOperator(server, helper.id, start, 'payer');
    expect(await declare(helper)).toMatchObject({ status: 403, code: 'new_operator' });
    await server.db.updateTable('people').set({ role: 'person' }).where('id', '=', helper.id).execute();
    const { proposal } = await propose(pia);
    expect((await approve(pavan, proposal)).status).toBe(200);
    const again = await propose(pia);
    expect(await approve(pavan, again.proposal)).toMatchObject({ status: 403, code: 'second_operator' });
  });

  describe('of a requested month', () => {
    const state = async (id: string) =>
      (
        await server.db
          .selectFrom('withdrawals')
          .select('state')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).state;
    const countsIn = async () =>
      (
        await server.db
          .selectFrom('adjustments')
          .select('counts_in')
          .where('creator_id', '=', asha.id)
          .where('kind', '=', 'void_paid')
          .executeTakeFirstOrThrow()
      ).counts_in;
    const asked = async () => {
      await close();
      return (await requestedWithdrawal(server, asha.id, month)).id;
    };
    const batch = (id: string) => as(pia, 'payouts/batches', { withdrawals: [id] });
    const complete = (id: string) => as(pia, `withdrawals/complete/${id}`, { reference: `UTR ${id}` });

    it('lower that month: its withdrawal is rejected with the reason in the same act, and so is a later one', async () => {
      const id = await asked();
      const later = (await requestedWithdrawal(server, asha.id, '2026-01')).id;
      const made = (await batch(id)).data;
      const { proposal } = await propose(pia, 'paid');
      expect(await state(id)).toBe('pending');
      expect((await approve(pavan, proposal)).status).toBe(200);
      expect([await state(id), await state(later), await countsIn()]).toEqual([
        'rejected',
        'rejected',
        month,
      ]);
      const rejected = (await as(pia, `withdrawals/${id}`)).data;
      expect([rejected.reason, rejected.history[0].act]).toEqual([reason, 'withdrawal.reject']);
      const { payments } = (await as(pia, `payouts/batches/${made._id}`)).data;
      expect(payments).toMatchObject([{ state: 'cancelled' }]);
    });

    it('are not paid before the answer: not by a batch, by hand, or by a batch that was made before', async () => {
      const id = await asked();
      const { _id: earlier } = (await batch(id)).data;
      const { proposal } = await propose(pia, 'paid');
      const { data } = await as(pia, `payouts/batches/send/${earlier}`, {});
      expect(data).toMatchObject({ state: 'cancelled', payments: [{ state: 'cancelled' }] });
      expect(await batch(id)).toMatchObject({ code: 'nothing_to_pay' });
      expect(await complete(id)).toMatchObject({ status: 403, code: 'second_operator' });
      await as(pavan, `proposals/decline/${proposal}`, { reason: 'They are real' });
      expect([(await complete(id)).status, await state(id)]).toEqual([200, 'completed']);
    });

    it('leave a payment that was sent, and are taken back from the running month', async () => {
      const id = await asked();
      const { _id } = (await batch(id)).data;
      await as(pia, `payouts/batches/send/${_id}`, {});
      const { proposal } = await propose(pia, 'paid');
      expect((await approve(pavan, proposal)).status).toBe(200);
      expect([await state(id), await countsIn()]).toEqual(['pending', '2026-11']);
    });

    it('that only wait leave the withdrawal as it is, since it pays none of them', async () => {
      const id = await asked();
      const { proposal } = await propose(pia);
      await approve(pavan, proposal);
      expect(await state(id)).toBe('pending');
    });
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
