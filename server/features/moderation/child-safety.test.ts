import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListedCase } from '#contract/cases.ts';
import type { LoggedAct } from '#contract/operators.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { signUpOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { closeCase } from './cases.ts';

/* What may show a child is seen and decided by operators with that right, and each look is logged. */
let server: TestServer;
let asha: Person;
let seer: Person;
let mona: Person;
let photo: string;
let caseId: string;
let pictures = 0;
beforeAll(async () => {
  server = await startTestServer();
  [asha, seer, mona] = await Promise.all([
    signUpSomebody(server, 'Asha'),
    signUpOperator(server, 'Seer'),
    signUpOperator(server, 'Mona', undefined, 'moderator'),
  ]);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('cases').execute();
  pictures += 1;
  const colour = `#${(0x224466 + pictures * 0x05070b).toString(16)}`;
  photo = await publishPicture(server.db, server.dataDir, asha.id, 'Words of the photo', new Date(), colour);
  caseId = await reported('post', photo);
});

async function reported(kind: string, id: string, reason = 'child_safety'): Promise<string> {
  const payload = { kind, id, reason, text: 'Look at this.' };
  await server.inject({ method: 'POST', url: '/api/report', payload });
  const row = server.db.selectFrom('cases').select('id').where('target_id', '=', id);
  return (await row.executeTakeFirstOrThrow()).id;
}
/** Another photo with its case. */
async function caseOf(reason: string) {
  pictures += 1;
  const colour = `#${(0x224466 + pictures * 0x05070b).toString(16)}`;
  const id = await publishPicture(server.db, server.dataDir, asha.id, 'Another', new Date(), colour);
  return { id, caseId: await reported('post', id, reason) };
}
const as = async ({ headers }: Person, path: string, payload?: object) =>
  await server.inject({
    method: payload ? 'POST' : 'GET',
    url: `/api/operator/${path}`,
    headers,
    ...(payload ? { payload } : {}),
  });
const looks = async () =>
  await server.db
    .selectFrom('audit_log')
    .select(['operator_id', 'target_id'])
    .where('act', '=', 'report.look')
    .where('target_id', '=', caseId)
    .execute();
const rule = { rule: 'child_safety', what: 'content', reason: 'It shows a child.' };

describe('a case about what may show a child', () => {
  it('is listed for every moderator, without what it is about', async () => {
    const listed = async (who: Person): Promise<ListedCase> => (await as(who, 'reports')).json().data[0];
    expect(await listed(mona)).toMatchObject({
      ...{ _id: caseId, reasons: ['child_safety'], targetId: null, owner: '', words: '' },
    });
    expect(await listed(seer)).toMatchObject({ targetId: photo, owner: asha.username, words: '' });
    const ofPerson = async (who: Person) => (await as(who, `people/${asha.id}`)).json().data.about.count;
    expect([await ofPerson(seer), await ofPerson(mona)]).toEqual([1, 0]);
  });

  it('is opened and decided only with the right; the refusal names who has it', async () => {
    const refused = [
      await as(mona, `reports/${caseId}`),
      await as(mona, `reports/look/${caseId}`, {}),
      await as(mona, `reports/evidence/${caseId}/picture`),
      await as(mona, `reports/take-up/${caseId}`, {}),
      await as(mona, `reports/note/${caseId}`, { text: 'Odd' }),
      await as(mona, `reports/close/${caseId}`, { reason: 'No' }),
      await as(mona, 'reports/take-down', { target: caseId, ...rule }),
      await as(mona, 'reports/take-down', { target: `post:${photo}`, ...rule }),
    ];
    for (const answer of refused) {
      expect([answer.statusCode, answer.json().code], answer.body).toEqual([403, 'not_allowed']);
      expect(answer.json().error).toContain(seer.username);
      expect(answer.body).not.toContain(photo);
    }
    expect(await looks()).toEqual([]);
  });

  it('shows its evidence when it is asked for, and each time is in the log', async () => {
    const { data } = (await as(seer, `reports/${caseId}`)).json();
    expect(data).toMatchObject({ targetId: photo, words: '', more: '', picture: '', video: '', page: '' });
    for (let times = 0; times < 2; times += 1)
      expect((await as(seer, `reports/look/${caseId}`, {})).json().data).toMatchObject({
        words: 'Words of the photo',
        picture: `/api/operator/reports/evidence/${caseId}/picture`,
      });
    expect((await as(seer, `reports/evidence/${caseId}/picture`)).statusCode).toBe(200);
    expect(await looks()).toEqual(Array(3).fill({ operator_id: seer.id, target_id: caseId }));
  });

  it('has its acts in the log of all, and what they say for who has the right', async () => {
    await as(seer, `reports/note/${caseId}`, { text: 'The police knows.' });
    const noted = async (who: Person): Promise<LoggedAct> =>
      (await as(who, `log?about=report:${caseId}`)).json().data[0];
    expect((await noted(seer)).details).toMatchObject({ text: 'The police knows.' });
    expect(await noted(mona)).toMatchObject({ act: 'report.note', operator: seer.username, details: {} });
    const alone = await as(mona, `log/${(await noted(mona))._id}`);
    expect(alone.body).not.toContain('The police knows.');
  });

  it('makes one of the case that it is merged into, also by a later report of what is merged', async () => {
    const [stays, merged] = [await caseOf('spam'), await caseOf('spam')];
    const merge = (who: Person, ids: string[]) =>
      as(who, `reports/merge/${stays.caseId}`, { ids, reason: 'One matter' });
    const close = async () => (await as(mona, `reports/close/${stays.caseId}`, { reason: 'No' })).statusCode;
    expect((await merge(mona, [caseId])).statusCode).toBe(403);
    expect((await merge(mona, [merged.caseId])).statusCode).toBe(200);
    await reported('post', merged.id);
    expect(await close()).toBe(403);
    expect((await as(seer, `reports/${stays.caseId}`)).json().data.reasons).toEqual(['spam', 'child_safety']);
    expect((await merge(seer, [caseId])).statusCode).toBe(200);
  });

  it('makes one of all that are decided with it', async () => {
    const all = [await caseOf('spam'), await caseOf('spam'), await caseOf('spam'), await caseOf('sexual')];
    const [stays = '', first = '', second = '', alone = ''] = all.map((one) => one.caseId);
    const seen = async (...ids: string[]) => {
      const statuses = await Promise.all(ids.map((id) => as(mona, `reports/${id}`)));
      return statuses.map(({ statusCode }) => statusCode);
    };
    await as(mona, `reports/merge/${stays}`, { ids: [first, second], reason: 'One matter' });
    const ofAlone = await caseOf('spam');
    await as(mona, `reports/merge/${alone}`, { ids: [ofAlone.caseId], reason: 'One matter' });
    expect(await seen(stays, first, second)).toEqual([200, 200, 200]);
    // A report of one of them.
    await reported('post', all[1]?.id ?? '');
    expect(await seen(stays, first, second)).toEqual([403, 403, 403]);
    // A decision by that rule.
    expect((await as(mona, 'reports/take-down', { target: alone, ...rule })).statusCode).toBe(200);
    expect(await seen(alone, ofAlone.caseId)).toEqual([403, 403]);
    // A merge, in either direction.
    const [into, already] = [await caseOf('spam'), await caseOf('spam')];
    await as(mona, `reports/merge/${into.caseId}`, { ids: [already.caseId], reason: 'One matter' });
    await as(seer, `reports/merge/${into.caseId}`, { ids: [caseId], reason: 'One matter' });
    expect(await seen(into.caseId, already.caseId)).toEqual([403, 403]);
    const other = await caseOf('spam');
    await as(seer, `reports/merge/${into.caseId}`, { ids: [other.caseId], reason: 'One matter' });
    expect(await seen(other.caseId)).toEqual([403]);
  });

  it.each(['child_safety', 'sexual'])(
    'is answered on appeal by who has decided it by the rule %s, if nobody else has the right',
    async (by) => {
      await as(seer, 'reports/take-down', { target: caseId, ...rule, rule: by });
      const appealed = async () => {
        const { key } = await server.db
          .selectFrom('decisions')
          .select('key')
          .where('target_id', '=', photo)
          .executeTakeFirstOrThrow();
        const url = `/api/decision/${key}`;
        await server.inject({ method: 'POST', url: `/api/decision/appeal/${key}`, payload: { text: 'No' } });
        return (await server.inject({ url })).json().data.isAlone;
      };
      const other = await signUpOperator(server, 'Other');
      expect(await appealed()).toBe(false);
      const [appeal] = (await as(mona, 'reports?kind=appeal')).json().data;
      expect(appeal.reasons).toEqual(['appeal', 'child_safety']);
      const answer = async (who: Person) => {
        const answered = await as(who, `reports/answer/${appeal._id}`, {
          answer: 'reversed',
          reason: 'True',
        });
        return answered.json().code ?? answered.statusCode;
      };
      expect([await answer(mona), await answer(seer)]).toEqual(['not_allowed', 'own_decision']);
      await server.db.updateTable('people').set({ child_safety: false }).where('id', '=', other.id).execute();
      expect(await appealed()).toBe(true);
      expect(await answer(seer)).toBe(200);
    },
  );

  it('has the details of its decision in the log only for who has the right, by whatever rule', async () => {
    await as(seer, 'reports/take-down', { target: caseId, ...rule, rule: 'sexual' });
    const labelled = await caseOf('child_safety');
    await as(seer, 'reports/label', { target: labelled.caseId, rule: 'violence', reason: 'A fight' });
    const spam = await signUpSomebody(server, 'Spam');
    await reported('person', spam.id);
    await as(seer, `people/suspend/${spam.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    for (const about of [`post:${photo}`, `post:${labelled.id}`, `person:${spam.id}`]) {
      const logged = async (who: Person): Promise<LoggedAct> =>
        (await as(who, `log?about=${about}`)).json().data[0];
      expect((await logged(seer)).details).toMatchObject({ reason: expect.any(String), childCase: true });
      expect((await logged(mona)).details).toEqual({});
    }
  });

  it('has the earlier words of its work only for who has the right', async () => {
    const statuses = async (id = photo) => {
      const answers = [await as(mona, `reports/versions/${id}`), await as(seer, `reports/versions/${id}`)];
      return answers.map(({ statusCode }) => statusCode);
    };
    expect(await statuses()).toEqual([403, 200]);
    await as(seer, 'reports/take-down', { target: caseId, ...rule });
    expect(await statuses()).toEqual([403, 200]);
    expect(await statuses((await caseOf('spam')).id)).toEqual([200, 200]);
  });

  it('becomes one if a moderator decides another report by that rule; the decision and its appeal too', async () => {
    const other = await publishPicture(server.db, server.dataDir, asha.id, 'Other', new Date(), '#99aa11');
    const ofOther = await reported('post', other, 'sexual');
    expect((await as(mona, 'reports/take-down', { target: ofOther, ...rule })).statusCode).toBe(200);
    expect((await as(mona, `reports/${ofOther}`)).statusCode).toBe(403);
    expect((await as(mona, 'reports/restore', { target: `post:${other}` })).statusCode).toBe(403);
    const { key } = await server.db
      .selectFrom('decisions')
      .select('key')
      .where('target_id', '=', other)
      .executeTakeFirstOrThrow();
    await server.inject({ method: 'POST', url: `/api/decision/appeal/${key}`, payload: { text: 'No' } });
    const appeals = (await as(mona, 'reports?kind=appeal')).json().data;
    expect(appeals).toMatchObject([{ reasons: ['appeal', 'child_safety'], targetId: null, words: '' }]);
    expect((await as(seer, 'reports/restore', { target: `post:${other}` })).statusCode).toBe(200);
  });

  it('is decided on the server, where nobody has the right', async () => {
    await server.db.updateTable('people').set({ child_safety: false }).where('id', '=', seer.id).execute();
    const refused = await as(seer, `reports/${caseId}`);
    await server.db.updateTable('people').set({ child_safety: true }).where('id', '=', seer.id).execute();
    expect(refused.json().error).toContain('there is none yet');
    const root = { id: null, name: 'root' };
    await closeCase(server.context, root, { id: caseId, reason: 'No child' });
  });
});
