import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canFollow, siteRuleNames } from '#contract/site-rules.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { signUpOperator } from '#testing/servers/operators.ts';
import { type Person, signUpSomebody, type TestServer } from '#testing/servers/test-server.ts';
import { ruleTexts } from '../mail/rules.ts';
import { endSuspensions, suspendPerson } from '../operators/people.ts';

const start = new Date('2026-11-10T06:00:00Z');
const day = 24 * 60 * 60_000;

let mailing: Awaited<ReturnType<typeof startMailingServer>>;
let server: TestServer;
/** The owner, a complainant and two operators: their names are in nothing that another one of them reads. */
let asha: Person;
let meera: Person;
let ravi: Person;
let uma: Person;
let photo: string;
beforeAll(async () => {
  mailing = await startMailingServer();
  ({ server } = mailing);
});
afterAll(() => mailing.close());
let pictures = 0;
beforeEach(async () => {
  server.now.value = start;
  await server.db.deleteFrom('cases').execute();
  await server.db.deleteFrom('mails').execute();
  mailing.smtp.mails.length = 0;
  [asha, meera, ravi, uma] = [
    await signUpSomebody(server, 'Asha Patil'),
    await signUpSomebody(server, 'Meera Joshi'),
    await signUpOperator(server, 'Ravi Kulkarni', start),
    await signUpOperator(server, 'Uma Deshpande', start),
  ];
  pictures += 1;
  const colour = `#${(0x101010 + pictures * 0x030507).toString(16)}`;
  photo = await publishPicture(server.db, server.dataDir, asha.id, 'Boats at noon', start, colour);
});

async function send({ headers }: Person, url: string, payload: object) {
  const answer = await server.inject({ method: 'POST', url, headers, payload });
  return { ...answer.json(), status: answer.statusCode };
}
const report = async (change: object = {}): Promise<string> =>
  (await send(meera, '/api/report', { kind: 'post', id: photo, reason: 'spam', text: 'Bad', ...change }))
    .number;
const takeDown = (who: Person, change: object = {}) =>
  send(who, '/api/operator/reports/take-down', {
    ...{ target: `post:${photo}`, what: 'content', rule: 'spam', reason: 'It sells followers' },
    ...change,
  });
const suspend = (who: Person, change: object = {}) =>
  send(who, `/api/operator/people/suspend/${asha.id}`, {
    ...{ rule: 'hate', days: 30, reason: 'Again and again' },
    ...change,
  });
const stored = () => server.db.selectFrom('decisions').selectAll().where('person_id', '=', asha.id).execute();
const notices = async ({ id, headers }: Person) => {
  const url = `/api/notification/getNotifications/${id}`;
  return (await server.inject({ url, headers })).json().data;
};
const read = async (key: string, headers = {}) => server.inject({ url: `/api/decision/${key}`, headers });
const outcomeOf = async (number: string) =>
  (await server.inject({ url: `/api/report/${number}` })).json().data;
const namesOf = (...people: Person[]) => people.flatMap(({ id, username, email }) => [id, username, email]);

describe('a decision by a rule of the site', () => {
  it('is stored with its case and the log, and read by its owner on the site and by mail, without a name', async () => {
    const number = await report();
    const [{ case_id: caseId } = { case_id: '' }] = await server.db
      .selectFrom('reports')
      .select('case_id')
      .execute();
    expect((await takeDown(ravi, { target: caseId })).status).toBe(200);
    const [decision] = await stored();
    expect(decision).toMatchObject({
      ...{ case_id: caseId, kind: 'post', target_id: photo, rule: 'spam', act: 'content', until: null },
      ...{ reason: 'It sells followers', decided_by: ravi.id, decided_at: start, ended_at: null },
    });
    const log = server.db.selectFrom('audit_log').select(['act', 'details']).where('target_id', '=', photo);
    expect(await log.execute()).toEqual([
      {
        act: 'content.take-down',
        details: { what: 'content', rule: 'spam', reason: 'It sells followers', reports: 1 },
      },
    ]);

    const [notice, ...others] = await notices(asha);
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ kind: 'work_taken_down', username: 'jhalak', senderId: asha.id });
    const answer = await read(notice.aboutId);
    expect(answer.json().data).toEqual({
      ...{ _id: notice.aboutId, kind: 'post', words: 'Boats at noon', rule: 'spam', act: 'content' },
      ...{ until: null, reason: 'It sells followers', decidedAt: start.toISOString(), endedAt: null },
      ...{ appealedAt: null, answer: null, answerReason: null, isAlone: false, grievanceEmail: '' },
    });
    expect(await mailing.sendOne(start)).toBe('sent');
    const [mail] = mailing.smtp.mails;
    expect(mail).toMatchObject({ to: [asha.email] });
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain(ruleTexts.en.spam);
      expect(part).toContain('It sells followers');
      expect(part).toContain(`${mailing.origin}/report/${notice.aboutId}`);
      expect(part).not.toContain('ForgotPassword');
    }
    const said = JSON.stringify([notice, answer.json(), mail]);
    for (const secret of [...namesOf(meera, ravi), number, caseId]) expect(said).not.toContain(secret);

    expect(await outcomeOf(number)).toEqual({ state: 'decided', outcome: 'acted' });
    expect(await notices(meera)).toEqual([]);
  });

  it('that is sent again stores and sends nothing more', async () => {
    await report();
    const answers = await Promise.all([1, 2, 3].map(() => takeDown(ravi)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await Promise.all([1, 2].map(() => suspend(uma)));
    expect((await stored()).map(({ act }) => act)).toEqual(['content', 'suspend']);
    const mails = await server.db
      .selectFrom('mails')
      .select('template')
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    expect(mails.map(({ template }) => template)).toEqual(['work_taken_down', 'account_suspended_until']);
  });

  it('stores nothing at all if the act is refused', async () => {
    const number = await report();
    const [{ id = '' } = {}] = await server.db.selectFrom('cases').select('id').execute();
    await send(uma, `/api/operator/reports/take-up/${id}`, {});
    expect(await takeDown(ravi)).toMatchObject({ code: 'case_claimed' });
    expect(await stored()).toEqual([]);
    expect(await notices(asha)).toEqual([]);
    expect(await outcomeOf(number)).toEqual({ state: 'in_work', outcome: null });
    expect((await server.inject({ url: `/api/post/getPost/${photo}` })).statusCode).toBe(200);
  });

  it.each([
    ['without a rule', { rule: undefined }],
    ['by no rule of the site', { rule: 'dull' }],
    ['that the rule does not allow', { rule: 'copied', what: 'content' }],
  ])('%s is refused', async (_, change) => {
    expect(await takeDown(ravi, change)).toMatchObject({ status: 400, code: 'invalid_input' });
    expect(await stored()).toEqual([]);
  });

  it('with an unknown id is 404 for everybody', async () => {
    await takeDown(ravi);
    const [{ id, target_id, case_id } = { id: '', target_id: '', case_id: null }] = await stored();
    expect(case_id).toBeNull();
    for (const other of [id, target_id, asha.id, crypto.randomUUID()])
      for (const headers of [{}, asha.headers, ravi.headers])
        expect((await read(other, headers)).statusCode).toBe(404);
  });

  it('ends when it is undone', async () => {
    await takeDown(ravi);
    await send(uma, '/api/operator/reports/restore', { target: `post:${photo}` });
    const [{ key, ended_at } = { key: '', ended_at: null }] = await stored();
    expect(ended_at).toEqual(start);
    expect((await read(key)).json().data.endedAt).toBe(start.toISOString());
  });

  it('goes with the account that it is about', async () => {
    await takeDown(ravi);
    await server.db.deleteFrom('people').where('id', '=', asha.id).execute();
    expect(await stored()).toEqual([]);
  });
});

describe('a suspension', () => {
  it('for days ends by itself after them, and not before', async () => {
    const number = await report({ kind: 'person', id: asha.id, reason: 'hate' });
    expect((await suspend(ravi, { days: 7 })).status).toBe(200);
    const until = new Date(start.getTime() + 7 * day);
    const [{ key } = { key: '' }] = await stored();
    expect((await read(key)).json().data).toMatchObject({
      ...{ kind: 'person', words: 'Asha Patil', rule: 'hate', act: 'suspend' },
      ...{ until: until.toISOString(), reason: 'Again and again' },
    });
    await mailing.sendOne(start);
    expect(mailing.smtp.mails[0]?.text).toContain('17 Nov 2026');
    expect(await outcomeOf(number)).toEqual({ state: 'decided', outcome: 'acted' });
    const suspendedAt = async (at: Date) => {
      await endSuspensions({ db: server.db, clock: () => at });
      const person = server.db.selectFrom('people').select('suspended_at').where('id', '=', asha.id);
      return (await person.executeTakeFirstOrThrow()).suspended_at;
    };
    expect(await suspendedAt(new Date(until.getTime() - 1))).toEqual(start);
    expect(await suspendedAt(until)).toBeNull();
    const log = server.db
      .selectFrom('audit_log')
      .select(['operator', 'act'])
      .where('target_id', '=', asha.id)
      .orderBy('acted_at')
      .orderBy('id');
    expect(await log.execute()).toEqual([
      { operator: ravi.username, act: 'person.suspend' },
      { operator: 'jhalak', act: 'person.restore' },
    ]);
  });

  it('is linked in the refusal of a login with the right password, and in no other', async () => {
    await suspend(ravi);
    const [{ key } = { key: '' }] = await stored();
    const logIn = (password: string) =>
      server.inject({ method: 'POST', url: '/api/signin', payload: { email: asha.email, password } });
    const answer = (await logIn('correct horse')).json();
    expect(answer).toMatchObject({ code: 'suspended', params: { address: `/report/${key}` } });
    expect(answer.error).toBe(`This account is suspended. Read why, and how to appeal: /report/${key}`);
    expect((await logIn('another one')).body).not.toContain(key);
  });

  it('without days has no end, and an earlier one that was undone does not end it', async () => {
    await suspend(ravi, { days: 1 });
    await send(uma, `/api/operator/people/restore/${asha.id}`, {});
    const form = { rule: 'hate', reason: 'Again and again' } as const;
    await suspendPerson(server.context, { id: uma.id, name: uma.username }, asha.id, form);
    await endSuspensions({ db: server.db, clock: () => new Date(start.getTime() + 400 * day) });
    expect((await stored()).map(({ ended_at }) => ended_at !== null)).toEqual([true, false]);
  });

  it.each([0, 366, 1.5, 'soon'])('for %s days is refused', async (days) => {
    expect(await suspend(ravi, { days })).toMatchObject({ status: 400, code: 'invalid_input' });
    expect(await stored()).toEqual([]);
  });
});

describe('the rules of the site', () => {
  it('each allow something, and a copy is never taken for forbidden content', () => {
    for (const rule of siteRuleNames)
      expect(canFollow(rule, 'copy') || canFollow(rule, 'content'), rule).toBe(true);
    expect(canFollow('copied', 'content')).toBe(false);
  });

  it.each(['en', 'hi'] as const)('have the same texts on the site and in mails (%s)', (language) => {
    const path = new URL(`../../../web/messages/reports/${language}.json`, import.meta.url);
    const shown = JSON.parse(readFileSync(path, 'utf8'));
    for (const rule of siteRuleNames) expect(ruleTexts[language][rule]).toBe(shown[`rule.${rule}.text`]);
  });
});
