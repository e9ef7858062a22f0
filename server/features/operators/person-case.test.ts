import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ListedCase } from '#contract/cases.ts';
import type { LoggedAct, PersonForOperators } from '#contract/operators.ts';
import { contextOn } from '#testing/context.ts';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { explained } from '#testing/fixtures/query-plans.ts';
import { makeOperator, signUpOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { casesOfPerson } from '../moderation/cases-of-person.ts';
import { findPeople } from './people.ts';

let server: TestServer;
let asha: Person;
let binod: Person;
let ravi: Person;
let uma: Person;
beforeAll(async () => {
  server = await startTestServer();
  [asha, binod, ravi, uma] = await Promise.all([
    signUpSomebody(server, 'Asha'),
    signUpSomebody(server, 'Binod'),
    signUpOperator(server, 'Ravi'),
    signUpOperator(server, 'Uma'),
  ]);
});
afterAll(() => server.close());

const as = async (who: Person, path: string, payload?: object) =>
  await server.inject({
    method: payload ? 'POST' : 'GET',
    url: `/api/operator/people${path}`,
    headers: who.headers,
    ...(payload ? { payload } : {}),
  });
const report = (who: Person, kind: string, id: string) =>
  server.inject({
    method: 'POST',
    url: '/api/report',
    headers: who.headers,
    payload: { kind, id, reason: 'spam' },
  });

describe('people', () => {
  const found = async (query: string) =>
    (await as(ravi, query)).json().data.map(({ _id }: PersonForOperators) => _id);

  it('are found by a part of a name, username or address, by its first letters, by id, and all without words', async () => {
    const { email, username, id } = binod;
    for (const q of ['BINOD', username.slice(1), email.slice(1).toUpperCase(), id.toUpperCase()])
      expect(await found(`?q=${encodeURIComponent(q)}`), q).toContain(id);
    expect(await found(`?q=${id}`)).toEqual([id]);
    expect(await found(`?q=100%25`)).toEqual([]);
    for (const q of ['B', 'bi', username.slice(0, 2)]) expect(await found(`?q=${q}`), q).toContain(binod.id);
    // One or two letters are the beginning, so that an index finds them.
    expect(await found('?q=no')).not.toContain(binod.id);
    expect(await found('?q=%25')).toEqual([]);
    expect(await found('')).toEqual(expect.arrayContaining([asha.id, binod.id, ravi.id, uma.id]));
    expect((await as(ravi, '?q=%20')).json().error).toBe('Please say whom to look for, as q.');
  });
});

describe('a person', () => {
  it('is shown with cases, money and acts, without what is secret', async () => {
    const colour = '#123456';
    const photo = await publishPicture(server.db, server.dataDir, asha.id, 'Boats', new Date(), colour);
    await report(binod, 'post', photo);
    await report(asha, 'person', binod.id);
    await server.inject({
      method: 'PUT',
      url: '/api/payout/destination',
      payload: { kind: 'upi', vpa: 'asha.rao@okaxis' },
      headers: asha.headers,
    });
    const { id: withdrawal } = await requestedWithdrawal(server, asha.id, '2024-05');
    const reject = { method: 'POST', url: `/api/operator/withdrawals/reject/${withdrawal}` } as const;
    await server.inject({ ...reject, payload: { reason: 'Wrong' }, headers: ravi.headers });
    await as(ravi, `/suspend/${asha.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    await as(ravi, `/restore/${asha.id}`, {});

    const answer = await as(uma, `/${asha.id}`);
    const { data } = answer.json();
    expect(data).toMatchObject({
      ...{ _id: asha.id, email: asha.email, suspendedAt: null, role: 'person', postCount: 1 },
      about: { count: 1, cases: [{ kind: 'post', targetId: photo }] },
      reported: { count: 1, cases: [{ kind: 'person', targetId: binod.id }] },
      money: {
        destination: { kind: 'upi', masked: 'as•••@okaxis' },
        sharing: { count: 0, people: [] },
        withdrawals: [{ _id: withdrawal, status: 'rejected' }],
      },
    });
    expect(data.history.map(({ act }: LoggedAct) => act)).toEqual([
      'person.restore',
      'person.suspend',
      'withdrawal.reject',
    ]);
    const unreported = await publishPicture(
      server.db,
      server.dataDir,
      asha.id,
      'Copy',
      new Date(),
      '#654321',
    );
    await server.inject({
      ...{ method: 'POST', url: '/api/operator/reports/take-down', headers: uma.headers },
      payload: { target: `post:${unreported}`, what: 'copy', rule: 'copied', reason: 'Of Mira' },
    });
    const [takenDown] = (await as(uma, `/${asha.id}`)).json().data.history;
    expect(takenDown).toMatchObject({ act: 'content.take-down', targetId: unreported });
    for (const secret of ['asha.rao@', '$argon2', asha.token]) expect(answer.body).not.toContain(secret);
  });

  it('is shown to moderators with the cases, and to payers with the money', async () => {
    const dev = await signUpSomebody(server, 'Dev');
    const mona = await signUpSomebody(server, 'Mona');
    const pia = await signUpSomebody(server, 'Pia');
    await report(asha, 'person', dev.id);
    await requestedWithdrawal(server, dev.id, '2024-05');
    await makeOperator(server, mona.id, undefined, 'moderator');
    await makeOperator(server, pia.id, undefined, 'payer');
    const shown = async (who: Person) => (await as(who, `/${dev.id}`)).json().data;
    expect(await shown(mona)).toMatchObject({ about: { count: 1 }, reported: { count: 0 }, money: null });
    expect(await shown(pia)).toMatchObject({
      ...{ about: null, reported: null },
      money: { withdrawals: [{ status: 'pending' }] },
    });
  });

  it('is shown to a concerned operator without the case that they have reported about that operator', async () => {
    const chitra = await signUpSomebody(server, 'Chitra');
    await report(chitra, 'person', ravi.id);
    const reported = async (who: Person) => (await as(who, `/${chitra.id}`)).json().data.reported;
    expect(await reported(ravi)).toEqual({ count: 0, cases: [], dismissible: 0 });
    expect((await reported(uma)).cases.map(({ targetId }: ListedCase) => targetId)).toEqual([ravi.id]);
    const note = { method: 'POST', url: '/api/operator/reports/note/' } as const;
    const [own] = (await as(uma, `/${ravi.id}`)).json().data.about.cases;
    await server.inject({
      ...note,
      url: `${note.url}${own._id}`,
      payload: { text: 'Odd' },
      headers: uma.headers,
    });
    const acts = async (who: Person) =>
      (await as(who, `/${ravi.id}`)).json().data.history.map(({ act }: LoggedAct) => act);
    expect([await acts(uma), await acts(ravi)]).toEqual([['report.note'], []]);
  });

  it('gets a link for a new password from an operator, which works once', async () => {
    const dev = await signUpSomebody(server, 'Dev');
    const { link } = (await as(ravi, `/reset-link/${dev.id}`, {})).json();
    expect(link).toMatch(/^\/ResetPassword#.{20,}$/);
    const [, token] = link.split('#');
    const payload = { token, password: 'dev is back again', cpassword: 'dev is back again' };
    const reset = () => server.inject({ method: 'POST', url: '/api/password/reset', payload });
    expect((await reset()).statusCode).toBe(200);
    expect((await reset()).json().code).toBe('link_over');
    const { body } = await as(ravi, `/${dev.id}`);
    expect(JSON.parse(body).data.history).toMatchObject([{ act: 'person.reset-link', details: {} }]);
    expect(body).not.toContain(token);
  });

  it.each([
    ['/018f0000-0000-7000-8005-000000000000', undefined, 404, 'There is no such person.'],
    ['/asha', undefined, 400, 'This id is not valid.'],
    ['/reset-link/018f0000-0000-7000-8005-000000000000', {}, 404, 'There is no such person.'],
  ])('is not found by %s, with one sentence', async (path, payload, status, sentence) => {
    const answer = await as(ravi, path, payload);
    expect([answer.statusCode, answer.json().error]).toEqual([status, sentence]);
  });

  it('who is an operator gets no link', async () => {
    expect((await as(ravi, `/reset-link/${uma.id}`, {})).json().code).toBe('is_operator');
  });

  it('is 404 without the operator role, also for the person', async () => {
    expect((await as(binod, `/${binod.id}`)).statusCode).toBe(404);
    expect((await as(binod, `/reset-link/${binod.id}`, {})).statusCode).toBe(404);
  });
});

// A cluster only shows the plan of one shard, or of a part before the parts that it reads.
it.skipIf(inject('nodes').length > 1)(
  'people and their cases come from an index, of 100,000 each',
  async () => {
    // In parts, each of which is done within the time limit of a statement.
    for (let from = 1; from < 100_000; from += 5_000) {
      await sql`insert into people (id, name, name_key, username, username_key, look_key, email, email_key, password_hash, created_at)
      select gen_random_uuid(), 'P', 'p', 'u' || n, 'u' || n, 'u' || n, 'u' || n || '@a.example', 'u' || n || '@a.example', '',
        now() - n * interval '1 s'
      from generate_series(${from}::int, ${from + 4_999}::int) n`.execute(server.db);
      await sql`insert into cases (id, kind, target_id, language, evidence, reasons, report_count, opened_at, due_at)
      select gen_random_uuid(), 'reel', gen_random_uuid(), 'en',
        jsonb_build_object('owner', '', 'words', '', 'ownerId', gen_random_uuid()), '{spam}', 1, now(), now()
      from generate_series(${from}::int, ${from + 4_999}::int) n`.execute(server.db);
    }
    await sql`insert into reports (id, case_id, number, reporter_id, reason, text, contact, created_at)
    select gen_random_uuid(), cases.id, cases.id, p.id, 'spam', '', '', now()
    from (select id, row_number() over () as n from cases) cases
    join (select id, row_number() over () as n from people limit 5000) p on p.n = cases.n
    on conflict do nothing`.execute(server.db);
    for (const table of ['people', 'cases', 'reports'])
      await sql`analyze ${sql.table(table)}`.execute(server.db);
    const { db, plans } = explained(server.url);
    for (const q of [undefined, binod.id, binod.username, binod.email, 'zzqx', 'b', 'zq'])
      await findPeople(db, { limit: 24, ...(q ? { q } : {}) });
    await casesOfPerson(contextOn(db), ravi.id, asha.id);
    for (const plan of await plans()) expect(plan).not.toMatch(/Seq Scan on (people|cases|reports)/);
  },
);
