import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newKey } from '#server/platform/ids.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { signUpOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { deleteOldReports } from './reports.ts';

let server: TestServer;
let asha: Person;
let binod: Person;
let operator: Person;
let postId: string;
beforeAll(async () => {
  server = await startTestServer();
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server, 'Binod')];
  operator = await signUpOperator(server, 'Ravi');
  postId = await publishPicture(server.db, server.dataDir, asha.id, 'A photo', new Date());
});
afterAll(() => server.close());
beforeEach(() => server.db.deleteFrom('cases').execute());

const nobody = '018f0000-0000-7000-8000-000000000000';
const payloadOf = (change: object) => ({ kind: 'post', id: postId, reason: 'spam', ...change });
const report = (change: object = {}, { headers }: Person = binod) =>
  server.inject({ method: 'POST', url: '/api/report', headers, payload: payloadOf(change) });
let visitors = 0;
/** Each from another network. */
function reportAsVisitor(change: object = {}) {
  visitors += 1;
  const remoteAddress = `198.51.100.${visitors % 250}`;
  return server.inject({ method: 'POST', url: '/api/report', remoteAddress, payload: payloadOf(change) });
}
const stored = () =>
  server.db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'case_id')
    .selectAll('reports')
    .select(['kind', 'target_id'])
    .orderBy('reports.id')
    .execute();
const follow = (number: string) => server.inject({ url: `/api/report/${number}` });
const stateOf = async (number: string) => (await follow(number)).json().data?.state;
const operate = (path: string, payload?: object) =>
  call(server, {
    method: 'POST',
    url: `/api/operator/reports/${path}`,
    headers: operator.headers,
    ...(payload ? { payload } : {}),
  });
const idOf = async (number: string) =>
  (
    await server.db
      .selectFrom('reports')
      .select('case_id')
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
  ).case_id;
const close = async (number: string) => operate(`close/${await idOf(number)}`, { reason: 'Harmless' });

describe('reporting what breaks the policy (decisions §3, §5)', () => {
  it('is stored once for a person and thing, however often it is repeated, and answers the same number', async () => {
    const answers = await Promise.all([report(), report(), report({ reason: 'other' })]);
    const numbers = answers.map((one) => one.json().number);
    expect(new Set(numbers).size).toBe(1);
    expect(numbers[0]).toMatch(/^[\da-f]{32}$/);
    const other = (await report({ kind: 'person', id: asha.id, text: 'A bot.' })).json().number;
    expect(other).not.toBe(numbers[0]);
    expect(await stored()).toMatchObject([
      { kind: 'post', target_id: postId, reporter_id: binod.id, contact: '' },
      { kind: 'person', target_id: asha.id, text: 'A bot.' },
    ]);
  });

  it('needs no login: it is stored with the way to answer, and no trace of who it was', async () => {
    const contact = ' meera@people.example ';
    const { statusCode, json } = await reportAsVisitor({ text: 'Stolen.', contact });
    expect(statusCode).toBe(200);
    expect(await stored()).toMatchObject([
      { reporter_id: null, text: 'Stolen.', contact: 'meera@people.example', number: json().number },
    ]);
    expect(JSON.stringify(await stored())).not.toContain('198.51.100');
    // Two visitors may say the same.
    expect((await reportAsVisitor({ text: 'Stolen.' })).json().number).not.toBe(json().number);
    expect(await stored()).toHaveLength(2);
  });

  it('sent again with its number is stored once; a number that something else has is refused', async () => {
    const number = newKey();
    const answers = await Promise.all([1, 2, 3].map(() => reportAsVisitor({ number })));
    for (const answer of answers) expect(answer.json().number).toBe(number);
    expect(await stored()).toMatchObject([{ number }]);
    const other = await reportAsVisitor({ number: number.toUpperCase(), kind: 'person', id: asha.id });
    expect([other.statusCode, other.json().code]).toEqual([409, 'sent_before']);
    expect(await stored()).toHaveLength(1);
  });

  it('sent again with its number is answered although the content is gone meanwhile', async () => {
    const gone = await publishPicture(server.db, server.dataDir, asha.id, 'Gone', new Date(), '#654123');
    const number = newKey();
    await reportAsVisitor({ id: gone, number });
    await operate('take-down', { target: `post:${gone}`, what: 'copy', rule: 'spam', reason: 'Not theirs' });
    const again = await reportAsVisitor({ id: gone, number });
    expect([again.statusCode, again.json().number]).toEqual([200, number]);
  });

  it('by a person about what was decided before is a new one', async () => {
    const { number } = (await report()).json();
    await close(number);
    const again = (await report({ reason: 'child_safety', text: 'Worse now.' })).json();
    expect(again.number).not.toBe(number);
    expect(await stateOf(again.number)).toBe('received');
    expect(await stored()).toHaveLength(2);
  });

  it('stores no way to answer of a signed-in person, who has an account', async () => {
    await report({ contact: 'elsewhere@people.example' });
    expect(await stored()).toMatchObject([{ reporter_id: binod.id, contact: '' }]);
  });

  it('hides nothing by itself, however many there are', async () => {
    for (let place = 0; place < 30; place += 1) expect((await reportAsVisitor()).statusCode).toBe(200);
    expect((await server.inject({ url: `/api/post/getPost/${postId}` })).statusCode).toBe(200);
    expect(await stored()).toHaveLength(30);
  });

  it.each([
    [{ id: nobody }, 404],
    [{ kind: 'reel' }, 404],
    [{ kind: 'person', id: nobody }, 404],
    [{ kind: 'planet' }, 400],
    [{ reason: 'dull' }, 400],
    [{ id: 'x' }, 400],
    [{ text: 'x'.repeat(5001) }, 400],
    [{ contact: 'x'.repeat(255) }, 400],
  ])('%j is refused, with a login and without', async (change, status) => {
    expect((await report(change)).statusCode).toBe(status);
    expect((await reportAsVisitor(change)).statusCode).toBe(status);
    expect(await stored()).toEqual([]);
  });

  it('of own content is refused', async () => {
    expect((await report({}, asha)).json().error).toBe('You cannot report your own content.');
  });

  it('of what nobody sees is refused: of a suspended person, or taken down', async () => {
    const gone = await signUpSomebody(server, 'Gone');
    const hidden = await publishPicture(server.db, server.dataDir, gone.id, 'Hidden', new Date(), '#123456');
    await server.db
      .updateTable('people')
      .set({ suspended_at: new Date() })
      .where('id', '=', gone.id)
      .execute();
    expect((await reportAsVisitor({ id: hidden })).statusCode).toBe(404);
    expect((await reportAsVisitor({ kind: 'person', id: gone.id })).statusCode).toBe(404);
  });
});

describe('the number of a report', () => {
  const newNumber = async (change: object = {}) => (await reportAsVisitor(change)).json().number as string;

  it('says how far the report is and what came of it, and nothing else', async () => {
    const number = await newNumber({ text: 'My words', contact: 'meera@people.example' });
    const first = await follow(number);
    expect(first.json()).toEqual({ status: 'ok', data: { state: 'received', outcome: null } });
    expect(await stateOf(number.toUpperCase())).toBe('received');
    const id = await idOf(number);
    await operate(`take-up/${id}`);
    expect(await stateOf(number)).toBe('in_work');
    await close(number);
    expect((await follow(number)).json().data).toEqual({ state: 'decided', outcome: 'none' });
    // It stays so.
    await expect(operate(`take-up/${id}`)).rejects.toThrow('case_decided');
    expect(await stateOf(number)).toBe('decided');
  });

  it('says by which rule the content was taken down, and not in which words', async () => {
    const photo = await publishPicture(server.db, server.dataDir, asha.id, 'Taken', new Date(), '#654321');
    const number = await newNumber({ id: photo });
    await operate('take-down', { target: `post:${photo}`, what: 'copy', rule: 'spam', reason: 'Not theirs' });
    expect((await follow(number)).json()).toEqual({
      status: 'ok',
      data: { state: 'decided', outcome: 'acted' },
    });
  });

  it('still answers when the account that has reported is deleted', async () => {
    const leaving = await signUpSomebody(server, 'Leaving');
    const number = (await report({}, leaving)).json().number;
    await call(server, { method: 'DELETE', url: `/api/delete/${leaving.id}`, headers: leaving.headers });
    expect(await stateOf(number)).toBe('received');
    expect(await stored()).toMatchObject([{ reporter_id: null }]);
  });

  it.each(['0'.repeat(32), 'nonsense', '0'.repeat(31)])('%s is unknown', async (number) => {
    expect([400, 404]).toContain((await follow(number)).statusCode);
  });
});

it('operators read the way to answer, and their taking up is in the log once', async () => {
  const { number } = (await reportAsVisitor({ contact: 'meera@people.example' })).json();
  const id = await idOf(number);
  await operate(`take-up/${id}`);
  const { data: again } = await operate(`take-up/${id}`);
  const { data } = await call(server, { url: '/api/operator/reports', headers: operator.headers });
  expect(data).toMatchObject([{ _id: id, takenUpAt: again.takenUpAt, closedAt: null }]);
  const shown = await call(server, { url: `/api/operator/reports/${id}`, headers: operator.headers });
  expect(shown.data.reported).toMatchObject([{ reporter: '', contact: 'meera@people.example' }]);
  expect(JSON.stringify([data, shown])).not.toContain(number);
  const acts = server.db.selectFrom('audit_log').select('details').where('target_id', '=', id);
  expect(await acts.execute()).toEqual([{ details: { about: `post:${postId}` } }]);
});

it('reports are deleted after 400 days, decided or not', async () => {
  await reportAsVisitor({ text: 'old' });
  const [{ created_at: sent } = { created_at: new Date() }] = await stored();
  for (const [days, left] of [
    [399, 1],
    [401, 0],
  ] as const) {
    await deleteOldReports({ db: server.db, clock: () => new Date(sent.getTime() + days * 86_400_000) });
    expect(await stored(), `${days}`).toHaveLength(left);
  }
});
