import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { makeOperator, signUpOperator } from '#testing/servers/operators.ts';
import { type Person, signUpSomebody, type TestServer } from '#testing/servers/test-server.ts';

const start = new Date('2026-11-10T06:00:00Z');
const hour = 60 * 60_000;

let mailing: Awaited<ReturnType<typeof startMailingServer>>;
let server: TestServer;
let asha: Person;
let meera: Person;
let ravi: Person;
let uma: Person;
let photo: string;
/** The number of Meera's report of the photo. */
let number: string;
beforeAll(async () => {
  mailing = await startMailingServer({ GRIEVANCE_EMAIL: 'grievance@jhalak.example' });
  ({ server } = mailing);
});
afterAll(() => mailing.close());
let pictures = 0;
beforeEach(async () => {
  server.now.value = start;
  await server.db.deleteFrom('cases').execute();
  await server.db.deleteFrom('mails').execute();
  await server.db.updateTable('people').set({ role: 'person' }).execute();
  mailing.smtp.mails.length = 0;
  [asha, meera, ravi, uma] = [
    await signUpSomebody(server, 'Asha Patil'),
    await signUpSomebody(server, 'Meera Joshi'),
    await signUpOperator(server, 'Ravi Kulkarni', start),
    await signUpOperator(server, 'Uma Deshpande', start),
  ];
  pictures += 1;
  const colour = `#${(0x121110 + pictures * 0x030507).toString(16)}`;
  photo = await publishPicture(server.db, server.dataDir, asha.id, 'Boats at noon', start, colour);
  ({ number } = await send(meera, '/api/report', { kind: 'post', id: photo, reason: 'spam' }));
});

async function send(who: Person | undefined, url: string, payload?: object) {
  const method = payload ? 'POST' : 'GET';
  const body = payload ? { payload } : {};
  const answer = await server.inject({ method, url, ...body, ...(who ? { headers: who.headers } : {}) });
  return { ...answer.json(), status: answer.statusCode };
}
const takeDown = (who = ravi, rule = 'spam') =>
  send(who, '/api/operator/reports/take-down', {
    ...{ target: `post:${photo}`, what: 'content', rule, reason: 'It sells followers' },
  });
const keyOf = async (person = asha): Promise<string> => {
  const row = server.db.selectFrom('decisions').select('key').where('person_id', '=', person.id);
  return (await row.orderBy('decided_at', 'desc').executeTakeFirstOrThrow()).key;
};
const appeal = async (text = 'They are my own boats.') =>
  send(undefined, `/api/decision/appeal/${await keyOf()}`, { text });
const appealsFor = async (who: Person) => (await send(who, '/api/operator/reports?kind=appeal')).data;
const idOfAppeal = async (): Promise<string> => (await appealsFor(uma))[0]._id;
const answer = async (who: Person, said: string, id?: string) =>
  send(who, `/api/operator/reports/answer/${id ?? (await idOfAppeal())}`, {
    answer: said,
    reason: 'They are on the bill of the shop',
  });
const read = async () => (await send(undefined, `/api/decision/${await keyOf()}`)).data;
const isPublic = async () => (await send(undefined, `/api/post/getPost/${photo}`)).status === 200;
const mailsOf = async (template: string) =>
  (await server.db.selectFrom('mails').select('id').where('template', '=', template).execute()).length;

describe('an appeal', () => {
  it('is judged with the picture, which operators see while it is hidden from everybody', async () => {
    await takeDown();
    await appeal();
    const { picture } = (await send(uma, `/api/operator/reports/${await idOfAppeal()}`)).data;
    const fileFor = (who: Person) => server.inject({ url: picture, headers: who.headers });
    const file = await fileFor(uma);
    expect([file.statusCode, file.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect((await sharp(file.rawPayload).metadata()).format).toBe('jpeg');
    expect((await fileFor(meera)).statusCode).toBe(404);
    await makeOperator(server, asha.id, start);
    expect((await fileFor(asha)).statusCode).toBe(403);
  });

  it('is a case in the same queue, linked with the decision both ways', async () => {
    await takeDown();
    server.now.value = new Date(start.getTime() + hour);
    expect((await appeal()).status).toBe(200);
    const [listed, ...others] = await appealsFor(uma);
    expect(others).toEqual([]);
    expect(listed).toMatchObject({
      ...{ kind: 'appeal', about: 'post', targetId: photo, state: 'taken_down', language: 'en' },
      ...{ owner: asha.username, words: 'Boats at noon', reasons: ['appeal'], reports: 1 },
      dueAt: new Date(start.getTime() + hour + 168 * hour).toISOString(),
    });
    const { data: own } = await send(uma, `/api/operator/reports/${listed._id}`);
    expect(own.reported).toMatchObject([{ text: 'They are my own boats.', reporter: asha.username }]);
    expect(own.history).toMatchObject([{ act: 'content.take-down', operator: ravi.username }]);
    expect(own.decision).toMatchObject({
      ...{ rule: 'spam', act: 'content', reason: 'It sells followers', by: ravi.username },
      ...{ appealId: listed._id, answer: null },
    });
    const { data: first } = await send(uma, `/api/operator/reports/${own.decision.caseId}`);
    expect(first).toMatchObject({ kind: 'post', decision: own.decision });
  });

  it('is one, however often it is sent', async () => {
    await takeDown();
    const answers = await Promise.all(['One', 'Two', 'One'].map(appeal));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await appealsFor(uma)).toHaveLength(1);
    await answer(uma, 'upheld');
    await appeal('Once more');
    expect(await appealsFor(uma)).toEqual([]);
  });

  it('against an unknown decision is 404, and without words refused', async () => {
    await takeDown();
    const text = 'They are mine.';
    for (const id of [crypto.randomUUID(), photo, asha.id])
      expect((await send(asha, `/api/decision/appeal/${id}`, { text })).status).toBe(404);
    for (const wrong of [' ', 'x'.repeat(5001)]) expect((await appeal(wrong)).status).toBe(400);
    expect(await appealsFor(uma)).toEqual([]);
  });

  it('against what was undone is refused', async () => {
    await takeDown();
    await send(uma, '/api/operator/reports/restore', { target: `post:${photo}` });
    expect(await appeal()).toMatchObject({ status: 409, code: 'decision_over' });
  });

  it('is claimed and answered by another operator than the one who decided', async () => {
    await takeDown();
    await appeal();
    const id = await idOfAppeal();
    for (const refused of [
      await send(ravi, `/api/operator/reports/take-up/${id}`, {}),
      await answer(ravi, 'upheld'),
      await answer(ravi, 'reversed'),
    ])
      expect(refused).toMatchObject({ status: 403, code: 'own_decision' });
    expect(await isPublic()).toBe(false);
    expect(await read()).toMatchObject({ answer: null, isAlone: false });
    expect((await send(uma, `/api/operator/reports/take-up/${id}`, {})).status).toBe(200);
    expect((await answer(uma, 'upheld')).status).toBe(200);
  });

  it('is answered by the operator who decided if there is no other, which the page says, with the address of the grievance officer', async () => {
    await takeDown();
    await appeal();
    await server.db.updateTable('people').set({ role: 'person' }).where('id', '=', uma.id).execute();
    expect(await read()).toMatchObject({ isAlone: true, grievanceEmail: 'grievance@jhalak.example' });
    const [{ _id: id }] = await appealsFor(ravi);
    expect((await answer(ravi, 'reversed', id)).status).toBe(200);
    expect(await isPublic()).toBe(true);
  });

  it('is neither closed nor taken down like a report', async () => {
    await takeDown();
    await appeal();
    const id = await idOfAppeal();
    for (const [path, body] of [
      [`close/${id}`, { reason: 'Done' }],
      ['take-down', { target: id, what: 'content', rule: 'spam', reason: 'Done' }],
      ['restore', { target: id }],
    ] as const)
      expect(await send(uma, `/api/operator/reports/${path}`, body)).toMatchObject({
        status: 400,
        params: { what: 'answer_instead' },
      });
    expect(await appealsFor(uma)).toHaveLength(1);
    expect(await answer(uma, 'upheld', crypto.randomUUID())).toMatchObject({ status: 404 });
  });
});

describe('the answer to an appeal', () => {
  it('that upholds leaves everything as it is; the person reads the reason, and no name', async () => {
    await takeDown();
    await appeal();
    const id = await idOfAppeal();
    await answer(uma, 'upheld');
    // Sent again.
    expect((await answer(uma, 'upheld', id)).status).toBe(200);
    expect(await isPublic()).toBe(false);
    const page = await read();
    expect(page).toMatchObject({
      answer: 'upheld',
      answerReason: 'They are on the bill of the shop',
      endedAt: null,
    });
    const { data: notices } = await send(asha, `/api/notification/getNotifications/${asha.id}`);
    expect(notices.map(({ kind }: { kind: string }) => kind)).toEqual(['decision_upheld', 'work_taken_down']);
    expect(await mailsOf('decision_upheld')).toBe(1);
    while (await mailing.sendOne(new Date(start.getTime() + hour)));
    const said = JSON.stringify([page, notices, mailing.smtp.mails]);
    expect(said).toContain('They are on the bill of the shop');
    for (const { username, email, id: person } of [ravi, uma, meera])
      for (const secret of [username, email, person]) expect(said).not.toContain(secret);
    expect((await send(undefined, `/api/report/${number}`)).data.outcome).toBe('acted');
    const log = server.db.selectFrom('audit_log').select('details').where('act', '=', 'report.answer');
    expect(await log.where('target_id', '=', id).execute()).toMatchObject([
      { details: { answer: 'upheld', reason: 'They are on the bill of the shop' } },
    ]);
  });

  it('that reverses makes the work public again, and its reporters read that no rule is broken', async () => {
    await takeDown();
    await appeal();
    await answer(uma, 'reversed');
    expect(await isPublic()).toBe(true);
    expect(await read()).toMatchObject({ answer: 'reversed', endedAt: start.toISOString() });
    expect((await send(undefined, `/api/report/${number}`)).data).toEqual({
      state: 'decided',
      outcome: 'none',
    });
    expect(await mailsOf('decision_reversed')).toBe(1);
  });

  it('that reverses a suspension restores the account', async () => {
    await send(ravi, `/api/operator/people/suspend/${asha.id}`, { rule: 'hate', days: 7, reason: 'Threats' });
    // All sessions of the account have ended.
    expect((await send(asha, `/api/notification/getNotifications/${asha.id}`)).status).toBe(401);
    await appeal();
    await answer(uma, 'reversed');
    const person = server.db.selectFrom('people').select('suspended_at').where('id', '=', asha.id);
    expect(await person.executeTakeFirstOrThrow()).toEqual({ suspended_at: null });
  });

  it('that reverses is possible after its owner has deleted the work', async () => {
    await takeDown();
    await appeal();
    await server.inject({ method: 'DELETE', url: `/api/post/deletePost/${photo}`, headers: asha.headers });
    expect((await answer(uma, 'reversed')).status).toBe(200);
    expect(await read()).toMatchObject({ answer: 'reversed', endedAt: start.toISOString() });
  });

  it('is one of two different ones that are sent at once', async () => {
    const devi = await signUpOperator(server, 'Devi Rao', start);
    await takeDown();
    await appeal();
    const id = await idOfAppeal();
    const [upheld, reversed] = await Promise.all([answer(uma, 'upheld', id), answer(devi, 'reversed', id)]);
    expect([upheld.status, reversed.status].sort()).toEqual([200, 409]);
    const wins = upheld.status === 200 ? 'upheld' : 'reversed';
    expect((await read()).answer).toBe(wins);
    expect(await isPublic()).toBe(wins === 'reversed');
    expect((await mailsOf('decision_upheld')) + (await mailsOf('decision_reversed'))).toBe(1);
    const other = wins === 'upheld' ? 'reversed' : 'upheld';
    expect(await answer(wins === 'upheld' ? uma : devi, other, id)).toMatchObject({ code: 'case_decided' });
  });

  it('is not given by the person concerned, if that is an operator', async () => {
    await takeDown();
    await appeal();
    await makeOperator(server, asha.id, start);
    expect(await answer(asha, 'reversed')).toMatchObject({ status: 403, code: 'own_work' });
  });
});
