import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { explained } from '#testing/fixtures/query-plans.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { listCases } from './cases.queries.ts';
import { reportHours, usualReportHours } from './deadlines.ts';

const start = new Date('2026-11-10T06:00:00Z');
const minute = 60_000;
const hour = 60 * minute;

let server: TestServer;
let asha: Person;
let ravi: Person;
let uma: Person;
let photo: string;
beforeAll(async () => {
  server = await startTestServer();
  server.now.value = start;
  [asha, ravi, uma] = await Promise.all([
    signUpSomebody(server, 'Asha'),
    signUpSomebody(server, 'Ravi'),
    signUpSomebody(server, 'Uma'),
  ]);
  for (const { id } of [ravi, uma]) await makeOperator(server, id, start);
});
afterAll(() => server.close());
let pictures = 0;
const publish = async (caption = 'Boats at noon') => {
  pictures += 1;
  const colour = `#${(0x101010 + pictures * 0x030507).toString(16)}`;
  return await publishPicture(server.db, server.dataDir, asha.id, caption, server.now.value, colour);
};
beforeEach(async () => {
  server.now.value = start;
  await server.db.deleteFrom('cases').execute();
  photo = await publish();
});

let visitors = 0;
/** A report by a visitor from another network. */
async function report(change: object = {}): Promise<string> {
  visitors += 1;
  const answer = await server.inject({
    method: 'POST',
    url: '/api/report',
    remoteAddress: `198.51.100.${visitors % 250}`,
    payload: { kind: 'post', id: photo, reason: 'spam', ...change },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().number;
}
async function as({ headers }: Person, path: string, payload?: object) {
  const isRead = payload === undefined;
  const url = `/api/operator/${path}`;
  const answer = await server.inject({
    method: isRead ? 'GET' : 'POST',
    url,
    headers,
    ...(isRead ? {} : { payload }),
  });
  return { ...answer.json(), status: answer.statusCode };
}
const list = async (query = '', who = ravi) => (await as(who, `reports${query}`)).data;
const onlyCase = async (): Promise<string> => (await list())[0]._id;
const claim = (who: Person, id: string) => as(who, `reports/take-up/${id}`, {});
const close = (who: Person, id: string) => as(who, `reports/close/${id}`, { reason: 'Harmless' });
const later = (time: number) => {
  server.now.value = new Date(server.now.value.getTime() + time);
};

describe('a case', () => {
  it('is all reports of one thing until it is decided; the next report opens another one', async () => {
    const numbers = [await report(), await report({ reason: 'hate' }), await report({ reason: 'hate' })];
    expect(await list()).toMatchObject([{ targetId: photo, reports: 3, reasons: ['spam', 'hate'] }]);
    const id = await onlyCase();
    expect((await close(ravi, id)).status).toBe(200);
    for (const number of numbers)
      expect((await server.inject({ url: `/api/report/${number}` })).json().data).toEqual({
        state: 'decided',
        outcome: 'none',
      });
    await report();
    expect(await list()).toMatchObject([{ reports: 1 }]);
    expect(await list('?state=decided')).toMatchObject([{ _id: id, reports: 3, closedBy: ravi.username }]);
  });

  it('is one, however many report at once', async () => {
    await Promise.all(Array.from({ length: 12 }, () => report()));
    expect(await list()).toMatchObject([{ reports: 12 }]);
  });

  it('keeps what was reported as it was then, also when that is deleted', async () => {
    await report({ text: 'It is mine.', contact: 'meera@people.example' });
    const id = await onlyCase();
    const { data } = await as(ravi, `reports/${id}`);
    expect(data).toMatchObject({
      words: 'Boats at noon',
      owner: asha.username,
      ownerId: asha.id,
      state: 'public',
      picture: expect.stringMatching(/^\/media\/.+\/photo\.jpg$/),
      page: `/post/${photo}`,
      reported: [{ text: 'It is mine.', contact: 'meera@people.example', reporter: '' }],
      history: [],
    });
    await server.inject({ method: 'DELETE', url: `/api/post/deletePost/${photo}`, headers: asha.headers });
    expect((await as(ravi, `reports/${id}`)).data).toMatchObject({
      words: 'Boats at noon',
      state: 'gone',
      picture: '',
      page: '',
    });
  });

  it('has the language of what was reported, by its letters', async () => {
    const words = { en: 'Sunset', hi: 'नदी पर नाव', other: 'আমাদের গ্রামের পুরনো বাংলা গান' };
    const all: Record<string, string> = {};
    for (const [language, caption] of Object.entries(words)) all[language] = await publish(caption);
    for (const id of Object.values(all)) await report({ id });
    for (const [language, targetId] of Object.entries(all))
      expect(await list(`?language=${language}`)).toMatchObject([{ targetId, language }]);
  });

  it('has notes of operators, which are in the log with their acts', async () => {
    await report();
    const id = await onlyCase();
    await claim(ravi, id);
    await as(uma, `reports/note/${id}`, { text: 'She has asked by mail, too.' });
    await as(ravi, 'reports/take-down', { target: id, what: 'copy', rule: 'spam', reason: 'Not theirs' });
    const { data } = await as(uma, `reports/${id}`);
    expect(
      data.history.map(({ act, operator, details }: Record<string, never>) => [act, operator, details]),
    ).toEqual([
      ['content.take-down', ravi.username, { what: 'copy', rule: 'spam', reason: 'Not theirs', reports: 1 }],
      ['report.note', uma.username, { about: `post:${photo}`, text: 'She has asked by mail, too.' }],
      ['report.take-up', ravi.username, { about: `post:${photo}` }],
    ]);
    expect(data).toMatchObject({ state: 'taken_down', closedBy: ravi.username, claim: null });
  });
});

describe('the clock of a case', () => {
  const due = async () => new Date((await list())[0].dueAt).getTime() - start.getTime();

  it('is the earliest deadline of its reports, by the reason', async () => {
    await report({ reason: 'copied' });
    expect(await due()).toBe(7 * 24 * hour);
    later(hour);
    await report({ reason: 'hate' });
    expect(await due()).toBe(37 * hour);
    await report({ reason: 'intimate' });
    expect(await due()).toBe(3 * hour);
    await report({ reason: 'spam' });
    expect(await due()).toBe(3 * hour);
  });

  it('orders the list: what must be decided first comes first, page after page', async () => {
    const reasons = ['spam', 'intimate', 'hate', 'copied', 'child_safety'];
    for (const reason of reasons) {
      later(minute);
      await report({ id: await publish(), reason });
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const page: { data: { reasons: string[] }[]; nextCursor: string | null } = await as(
        ravi,
        `reports?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      );
      seen.push(...page.data.map(({ reasons: [reason = ''] }) => reason));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(['intimate', 'child_safety', 'hate', 'spam', 'copied']);
  });

  it('of an order is that of orders, also about what people reported before', async () => {
    await report();
    const { data } = await as(ravi, 'orders', { target: `post:${photo}`, text: 'Court of Pune, 12/2026' });
    expect(data._id).toBe(await onlyCase());
    expect(await due()).toBe(3 * hour);
    expect((await list())[0].reasons).toEqual(['spam', 'order']);
    const byVisitor = await server.inject({
      method: 'POST',
      url: '/api/report',
      payload: { kind: 'post', id: photo, reason: 'order' },
    });
    expect(byVisitor.statusCode).toBe(400);
  });

  it('comes from a table of settings', () => {
    expect(reportHours.parse(usualReportHours)).toEqual({
      ...{ intimate: 2, child_safety: 2, order: 3 },
      ...{ sexual: 36, violence: 36, hate: 36, harassment: 36 },
      ...{ copied: 168, spam: 168, other: 168, appeal: 168 },
    });
    expect(reportHours.parse('order=1, others=5')).toMatchObject({ order: 1, intimate: 5, spam: 5 });
    for (const wrong of ['', 'order=3', 'others', 'others=0', 'others=-1', 'dull=3, others=5', 'others=1.5'])
      expect(reportHours.safeParse(wrong).success, wrong).toBe(false);
  });
});

describe('a claim', () => {
  beforeEach(async () => void (await report()));

  it('is of one operator, if two make it at once', async () => {
    const id = await onlyCase();
    const answers = await Promise.all([ravi, uma, ravi, uma].map((who) => claim(who, id)));
    const { by } = (await list())[0].claim;
    const [winner, loser] = by === ravi.username ? [ravi, uma] : [uma, ravi];
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      code: 'case_claimed',
      params: { username: winner.username },
    });
    expect(await list('?state=mine', winner)).toMatchObject([{ claim: { mine: true } }]);
    expect(await list('?state=mine', loser)).toEqual([]);
    const [act] = (await as(ravi, `reports/${id}`)).data.history;
    expect(act).toMatchObject({ act: 'report.take-up', operator: winner.username });
  });

  it('keeps others from deciding in any way', async () => {
    const id = await onlyCase();
    await claim(ravi, id);
    const before = await list();
    for (const target of [id, `post:${photo}`])
      expect(
        await as(uma, 'reports/take-down', { target, what: 'copy', rule: 'spam', reason: 'Mine' }),
      ).toMatchObject({
        code: 'case_claimed',
      });
    expect(await close(uma, id)).toMatchObject({ code: 'case_claimed' });
    expect(await list()).toEqual(before);
    expect((await server.inject({ url: `/api/post/getPost/${photo}` })).statusCode).toBe(200);
  });

  it('ends after 30 minutes, or when it is released, and begins anew when it is made again', async () => {
    const id = await onlyCase();
    await claim(ravi, id);
    later(20 * minute);
    await claim(ravi, id);
    later(29 * minute);
    expect(await claim(uma, id)).toMatchObject({ code: 'case_claimed' });
    later(minute);
    expect(await list()).toMatchObject([{ claim: null }]);
    expect((await claim(uma, id)).status).toBe(200);
    // Of another one it releases nothing.
    await as(ravi, `reports/release/${id}`, {});
    expect(await list()).toMatchObject([{ claim: { by: uma.username } }]);
    await as(uma, `reports/release/${id}`, {});
    expect(await list()).toMatchObject([{ claim: null, takenUpAt: start.toISOString() }]);
  });

  it('ends with the account that has made it', async () => {
    const id = await onlyCase();
    const gone = await signUpSomebody(server, 'Gone');
    await makeOperator(server, gone.id, start);
    await claim(gone, id);
    await server.db.deleteFrom('people').where('id', '=', gone.id).execute();
    expect(await list()).toMatchObject([{ claim: null }]);
    expect((await claim(uma, id)).status).toBe(200);
  });
});

describe('a decision', () => {
  it('is made by one of two operators who decide at once; the other one reads who', async () => {
    await report();
    const id = await onlyCase();
    const [one, other] = await Promise.all([
      close(ravi, id),
      as(uma, 'reports/take-down', { target: id, what: 'copy', rule: 'spam', reason: 'Not theirs' }),
    ]);
    expect([one.status, other.status].sort()).toEqual([200, 409]);
    const [winner, refused] = one.status === 200 ? [ravi, other] : [uma, one];
    expect(refused).toMatchObject({ code: 'case_decided', params: { username: winner.username } });
    const isPublic = (await server.inject({ url: `/api/post/getPost/${photo}` })).statusCode === 200;
    expect(isPublic).toBe(winner === ravi);
  });

  it('is not made by the person concerned, who does not read who has reported them either', async () => {
    await report({ kind: 'person', id: ravi.id });
    const id = await onlyCase();
    for (const answer of [await as(ravi, `reports/${id}`), await claim(ravi, id), await close(ravi, id)])
      expect(answer).toMatchObject({ status: 403, code: 'own_work' });
    expect((await close(uma, id)).status).toBe(200);
  });

  it('about an account is its suspension', async () => {
    const mona = await signUpSomebody(server, 'Mona');
    await report({ kind: 'person', id: mona.id, reason: 'harassment' });
    const answer = await server.inject({
      method: 'POST',
      url: `/api/operator/people/suspend/${mona.id}`,
      headers: ravi.headers,
      payload: { rule: 'harassment', days: 7, reason: 'Threats' },
    });
    expect(answer.statusCode).toBe(200);
    expect(await list()).toEqual([]);
    expect(await list('?state=decided&kind=person')).toMatchObject([
      { state: 'hidden', closedBy: ravi.username },
    ]);
  });
});

it('the first page of 100,000 cases comes from an index, by any filter', async () => {
  await sql`insert into cases (id, kind, target_id, language, evidence, reasons, report_count, opened_at, due_at, closed_at, closed_by)
    select gen_random_uuid(), case when n % 1999 = 0 then 'comment' else 'reel' end, gen_random_uuid(),
      case when n % 2999 = 0 then 'hi' else 'en' end, '{"owner": "", "words": ""}', '{spam}', 1, now(), now() + n * interval '1 s',
      case when n % 2 = 0 then now() + n * interval '1 s' end, case when n % 2 = 0 then 'ravi' end
    from generate_series(1, 100000) n`.execute(server.db);
  await sql`analyze cases`.execute(server.db);
  const { db, plans } = explained(server.url);
  const filters = [{}, { kind: 'comment' }, { language: 'hi' }, { kind: 'comment', language: 'hi' }] as const;
  for (const state of ['open', 'decided', 'mine'] as const)
    for (const filter of filters)
      await listCases(db, { state, ...filter, operatorId: ravi.id, now: start }, 25, undefined);
  for (const plan of await plans()) {
    expect(plan).toMatch(/cases_(open|one_open|closed|by_claimed_by)/);
    expect(plan).not.toContain('Seq Scan on cases');
  }
});
