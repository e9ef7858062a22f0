import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mergedAtMost } from '#contract/operators.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { explained } from '#testing/fixtures/query-plans.ts';
import { signUpOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { countByFilter, listCases } from './cases.queries.ts';
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
    signUpOperator(server, 'Ravi', start),
    signUpOperator(server, 'Uma', start),
  ]);
});
afterAll(() => server.close());
let pictures = 0;
const publish = async (caption = 'Boats at noon', creator = asha) => {
  pictures += 1;
  const colour = `#${(0x101010 + pictures * 0x010305).toString(16)}`;
  return await publishPicture(server.db, server.dataDir, creator.id, caption, server.now.value, colour);
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
      picture: `/api/operator/reports/evidence/${id}/picture`,
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

describe('the filters of the list', () => {
  const counts = async (query = '') => (await as(ravi, `reports/counts${query}`)).data;

  it('say how many undecided cases each of them has beside the others', async () => {
    const hindi = await publish('नदी पर नाव');
    await report();
    await report({ kind: 'person', id: asha.id });
    await report({ id: hindi });
    await close(ravi, (await list('?kind=person'))[0]._id);
    await claim(ravi, (await list('?language=hi'))[0]._id);
    expect(await counts()).toEqual({
      state: { open: 2, mine: 1, muted: 0 },
      kind: { reel: 0, post: 2, story: 0, comment: 0, person: 0, appeal: 0 },
      language: { en: 1, hi: 1, other: 0 },
    });
    expect(await counts('?language=hi&kind=post')).toMatchObject({
      state: { open: 1, mine: 1 },
      kind: { post: 1 },
      language: { en: 1, hi: 1 },
    });
    expect(await counts('?kind=reel')).toMatchObject({ state: { open: 0 }, language: { en: 0, hi: 0 } });
  });
});

describe('merged cases', () => {
  /** The cases of two photos and of their author, by their captions; the second one has the earlier deadline. */
  async function three() {
    const copy = await publish('A copy of the boats');
    const numbers = [
      await report(),
      await report({ id: copy, reason: 'violence' }),
      await report({ kind: 'person', id: asha.id }),
    ];
    const all = await list();
    const idOf = (targetId: string): string =>
      all.find((one: { targetId: string }) => one.targetId === targetId)._id;
    return { numbers, copy, stays: idOf(photo), other: idOf(copy), person: idOf(asha.id) };
  }
  /** As one that was reported again, in an order, after it was decided. */
  const reopen = (id: string) =>
    server.db
      .updateTable('cases')
      .set({ closed_at: null, closed_by: null, outcome: null })
      .where('id', '=', id)
      .execute();
  const merge = (who: Person, into: string, ids: string[]) =>
    as(who, `reports/merge/${into}`, { ids, reason: 'One video' });
  const read = async (number: string | undefined) =>
    (await server.inject({ url: `/api/report/${number}` })).json().data;

  it('are decided as one: all their works are taken down, each with a decision of its own, and what stays public is in the queue again', async () => {
    const { numbers, copy, stays, other, person } = await three();
    expect(await merge(ravi, stays, [other, person])).toMatchObject({ status: 200 });
    // The earlier deadline holds.
    expect(await list()).toMatchObject([
      { _id: stays, reports: 1, dueAt: new Date(start.getTime() + 36 * hour).toISOString() },
    ]);
    const { data } = await as(uma, `reports/${stays}`);
    expect(data.merged).toMatchObject([{ _id: person }, { _id: other, words: 'A copy of the boats' }]);
    expect(data.history).toMatchObject([
      { act: 'report.merge', operator: ravi.username, details: { into: stays, reason: 'One video' } },
      { act: 'report.merge' },
    ]);
    expect((await as(uma, `reports/${other}`)).data).toMatchObject({ mergedInto: stays, closedAt: null });
    await claim(ravi, stays);
    for (const number of numbers) expect(await read(number)).toEqual({ state: 'in_work', outcome: null });
    await as(ravi, 'reports/take-down', { target: stays, what: 'copy', rule: 'spam', reason: 'Spam' });
    for (const number of numbers.slice(0, 2))
      expect(await read(number)).toEqual({ state: 'decided', outcome: 'acted' });
    expect(await read(numbers[2])).toEqual({ state: 'received', outcome: null });
    expect(await list()).toMatchObject([{ _id: person, mergedInto: null }]);
    for (const id of [photo, copy])
      expect((await server.inject({ url: `/api/post/getPost/${id}` })).statusCode).toBe(404);
    for (const id of [stays, other])
      expect((await as(uma, `reports/${id}`)).data.decision).toMatchObject({ rule: 'spam', caseId: id });
  });

  it('are so many in one at most that its page shows them all', async () => {
    const { stays, other, person } = await three();
    await sql`insert into cases (id, kind, target_id, language, evidence, reasons, report_count, opened_at, due_at, merged_into)
      select gen_random_uuid(), kind, gen_random_uuid(), language, evidence, reasons, 1, opened_at, due_at, id
      from cases, generate_series(2, ${mergedAtMost}::int) where id = ${stays}`.execute(server.db);
    expect(await merge(ravi, stays, [other])).toMatchObject({ status: 200 });
    const { data } = await as(ravi, `reports/${stays}`);
    expect(data.merged).toHaveLength(mergedAtMost);
    expect(await merge(ravi, stays, [person])).toMatchObject({ status: 400, params: { what: 'merge_many' } });
    expect((await list()).map(({ _id }: { _id: string }) => _id).toSorted()).toEqual(
      [stays, person].toSorted(),
    );
    const merged = data.merged.map(({ _id }: { _id: string }) => _id);
    const said = { what: 'content', rule: 'spam', reason: 'Spam', merged };
    expect(await as(ravi, 'reports/take-down', { target: stays, ...said })).toMatchObject({ status: 200 });
    expect((await server.inject({ url: `/api/post/getPost/${photo}` })).statusCode).toBe(404);
  });

  it('whose account is suspended are decided with it, and those about others are in the queue again', async () => {
    const { numbers, stays } = await three();
    const ila = await signUpSomebody(server);
    const work = await publishPicture(server.db, server.dataDir, ila.id, 'Of Ila', start, '#e0d0a0');
    const [ofPerson, ofWork] = [await report({ kind: 'person', id: ila.id }), await report({ id: work })];
    const about =
      (id: string) =>
      ({ targetId }: { targetId: string }) =>
        targetId === id;
    const all = await list();
    const into = all.find(about(ila.id))._id;
    await merge(ravi, into, [stays, all.find(about(work))._id]);
    await as(ravi, `people/suspend/${ila.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    for (const number of [ofPerson, ofWork])
      expect(await read(number)).toEqual({ state: 'decided', outcome: 'acted' });
    expect(await read(numbers[0])).toEqual({ state: 'received', outcome: null });
  });

  it('skip works that are already taken down, and are refused if the operator has not seen all merged cases', async () => {
    const { copy, stays, other, person } = await three();
    await as(ravi, 'reports/take-down', {
      target: `post:${copy}`,
      what: 'copy',
      rule: 'spam',
      reason: 'First',
    });
    const third = await publish('Boats again');
    await report({ id: third });
    const ofThird = (await list()).find(({ targetId }: { targetId: string }) => targetId === third)._id;
    await reopen(other);
    await merge(ravi, stays, [other, person, ofThird]);
    const said = { what: 'content', rule: 'spam', reason: 'Spam' };
    const many = { ids: [stays], act: 'take-down', ...said };
    expect((await as(ravi, 'reports/decide-many', { ...many, preview: true })).data).toEqual([
      { _id: stays, decided: true, refusal: null, merged: [ofThird] },
    ]);
    expect((await as(ravi, 'reports/decide-many', { ...many, merged: [] })).data).toMatchObject([
      { decided: false, refusal: { params: { what: 'merged_meanwhile' } } },
    ]);
    const unseen = { status: 400, params: { what: 'merged_meanwhile' } };
    expect(await as(ravi, 'reports/take-down', { target: stays, ...said, merged: [] })).toMatchObject(unseen);
    const label = { target: stays, rule: 'violence', reason: 'A fight', merged: [] };
    expect(await as(ravi, 'reports/label', label)).toMatchObject(unseen);
    expect(await as(ravi, 'reports/take-down', { target: stays, ...said, merged: [ofThird] })).toMatchObject({
      status: 200,
    });
    const posts = await server.db
      .selectFrom('posts')
      .select(['taken_down_as', 'taken_down_reason'])
      .where('id', 'in', [copy, third])
      .orderBy('id')
      .execute();
    expect(posts).toEqual([
      { taken_down_as: 'copy', taken_down_reason: 'First' },
      { taken_down_as: 'content', taken_down_reason: 'Spam' },
    ]);
  });

  it('get one label together', async () => {
    const { numbers, stays, other, person } = await three();
    await merge(ravi, stays, [other, person]);
    await as(ravi, 'reports/label', { target: stays, rule: 'violence', reason: 'Blood' });
    for (const number of numbers.slice(0, 2)) expect(await read(number)).toMatchObject({ outcome: 'acted' });
    for (const id of [stays, other]) expect((await as(uma, `reports/${id}`)).data.label).toBe('disturbing');
    expect(await list()).toMatchObject([{ _id: person }]);
  });

  it('read that no rule is broken, if an appeal against the decision succeeds', async () => {
    const { numbers, stays, other, person } = await three();
    await server.inject({ method: 'DELETE', url: `/api/post/deletePost/${photo}`, headers: asha.headers });
    await merge(ravi, other, [stays]);
    await as(ravi, 'reports/take-down', { target: other, what: 'copy', rule: 'spam', reason: 'Spam' });
    const { key } = await server.db
      .selectFrom('decisions')
      .select('key')
      .where('case_id', '=', other)
      .executeTakeFirstOrThrow();
    await server.inject({
      method: 'POST',
      url: `/api/decision/appeal/${key}`,
      payload: { text: 'It is not spam.' },
    });
    const [appeal] = await list('?kind=appeal');
    // An appeal is never part of another matter.
    for (const [into, ids] of [
      [appeal._id, [person]],
      [person, [appeal._id]],
    ] as const)
      expect((await merge(uma, into, [...ids])).status).toBeGreaterThanOrEqual(400);
    expect(
      await as(uma, `reports/answer/${appeal._id}`, { answer: 'reversed', reason: 'True' }),
    ).toMatchObject({ status: 200 });
    // Also who reported what was merged: it was deleted before, so nothing else was decided about it.
    for (const number of numbers.slice(0, 2))
      expect(await read(number)).toEqual({ state: 'decided', outcome: 'none' });
  });

  it('take later reports about them, with the deadline of these, and leave the merge with them', async () => {
    const { copy, stays, other, person } = await three();
    await merge(ravi, stays, [other, person]);
    const later = await report({ id: copy, reason: 'intimate' });
    const due = new Date(start.getTime() + 2 * hour).toISOString();
    expect(await list()).toMatchObject([{ _id: stays, dueAt: due }]);
    expect((await as(ravi, `reports/unmerge/${other}`, {})).status).toBe(200);
    expect((await as(ravi, `reports/unmerge/${other}`, {})).status).toBe(200);
    expect(await list()).toMatchObject([
      { _id: stays },
      { _id: other, reports: 2, dueAt: due, mergedInto: null },
    ]);
    await close(ravi, stays);
    expect(await read(later)).toEqual({ state: 'received', outcome: null });
  });

  it('go with the case that they are merged into, and end a decision of their own', async () => {
    const { numbers, stays, other, person } = await three();
    await merge(ravi, stays, [other]);
    await merge(ravi, person, [stays]);
    expect((await as(ravi, `reports/${person}`)).data.merged).toHaveLength(2);
    // Into what is merged: into the one with which that is decided; sent again it has no effect.
    expect(await merge(ravi, other, [stays])).toMatchObject({ data: { _id: person, merged: [stays] } });
    expect(await merge(ravi, other, [person])).toMatchObject({ params: { what: 'merge_itself' } });
    await close(ravi, other);
    expect(await read(numbers[1])).toEqual({ state: 'decided', outcome: 'none' });
    await server.inject({
      method: 'POST',
      url: `/api/operator/people/suspend/${asha.id}`,
      headers: ravi.headers,
      payload: { rule: 'spam', days: 7, reason: 'Spam' },
    });
    expect([await read(numbers[0]), await read(numbers[1])]).toMatchObject([
      { outcome: 'acted' },
      { outcome: 'none' },
    ]);
    await server.inject({
      method: 'POST',
      url: `/api/operator/people/restore/${asha.id}`,
      headers: ravi.headers,
    });
  });

  it('are neither claimed by another operator, nor decided, nor about the one who merges', async () => {
    const { stays, other, person } = await three();
    await claim(uma, other);
    expect(await merge(ravi, stays, [person, other])).toMatchObject({
      code: 'case_claimed',
      params: { username: uma.username },
    });
    expect(await list()).toHaveLength(3);
    await close(uma, other);
    expect(await merge(ravi, stays, [other])).toMatchObject({ code: 'case_decided' });
    await report({ kind: 'person', id: ravi.id });
    const own = (await list()).find(({ targetId }: { targetId: string }) => targetId === ravi.id)._id;
    expect(await merge(ravi, stays, [own])).toMatchObject({ code: 'own_work' });
    expect(await merge(ravi, own, [stays])).toMatchObject({ code: 'own_work' });
  });

  it('with one about an operator are not decided by them, who does not read its notes either', async () => {
    const { stays, other } = await three();
    await report({ kind: 'person', id: ravi.id });
    const own = (await list()).find(({ targetId }: { targetId: string }) => targetId === ravi.id)._id;
    await as(uma, `reports/note/${own}`, { text: 'He threatens people.' });
    await merge(uma, stays, [other, own]);
    const spam = { what: 'content', rule: 'spam', reason: 'Spam' };
    for (const answer of [
      await claim(ravi, stays),
      await close(ravi, stays),
      await as(ravi, 'reports/take-down', { target: stays, ...spam }),
      await as(ravi, 'reports/take-down', { target: `post:${photo}`, ...spam }),
      await as(ravi, 'reports/label', { target: stays, rule: 'violence', reason: 'A fight' }),
    ])
      expect(answer).toMatchObject({ status: 403, code: 'own_work' });
    const { data } = await as(ravi, `reports/${stays}`);
    expect(data.merged).toMatchObject([{ _id: other }]);
    expect(JSON.stringify(data.history)).not.toContain(own);
    expect(JSON.stringify(data.history)).not.toContain('He threatens people.');
    expect(JSON.stringify((await as(uma, `reports/${stays}`)).data.history)).toContain(
      'He threatens people.',
    );
    expect((await close(uma, stays)).status).toBe(200);
  });

  it('are in one case that stays, also if they are merged in all directions at once', async () => {
    for (let round = 0; round < 2; round += 1) {
      await server.db.deleteFrom('cases').execute();
      const { stays, other, person } = await three();
      const answers = await Promise.all([
        merge(ravi, stays, [other]),
        merge(uma, other, [stays]),
        merge(ravi, other, [person]),
        merge(uma, person, [stays]),
      ]);
      for (const { status } of answers) expect([200, 400]).toContain(status);
      const [{ _id: left }, ...more] = await list();
      expect(more).toEqual([]);
      const { data } = await as(uma, `reports/${left}`);
      expect(data.merged).toHaveLength(2);
    }
  });

  it('are in one place, however many merge, report and decide at once', async () => {
    const { numbers, copy, stays, other, person } = await three();
    const answers = await Promise.all([
      merge(ravi, stays, [other, person]),
      merge(ravi, stays, [person, other]),
      ...Array.from({ length: 6 }, () => report({ id: copy })),
      close(ravi, stays),
    ]);
    for (const answer of answers) if (typeof answer !== 'string') expect([200, 409]).toContain(answer.status);
    const states = await Promise.all(numbers.map(async (number) => (await read(number)).state));
    expect(states[0]).toBe('decided');
    expect(states[1]).toBe(states[2]);
  });
});

describe('many cases at once', () => {
  const decide = (who: Person, ids: string[], more: object = {}) =>
    as(who, 'reports/decide-many', { ids, act: 'close', reason: 'Harmless', ...more });
  const spam = { act: 'take-down', what: 'content', rule: 'spam', reason: 'Spam' };
  const reportedNow = async (count: number): Promise<string[]> => {
    for (let nth = 0; nth < count; nth += 1) await report({ id: await publish(`Boats ${nth}`) });
    return (await list()).map(({ _id }: { _id: string }) => _id);
  };
  const done = (id: string | undefined) => ({ _id: id, decided: true, refusal: null, merged: [] });
  const acts = async () =>
    await server.db.selectFrom('audit_log').select(['act', 'target_id']).orderBy('id').execute();

  it('are decided each by itself, and the answer says case by case what happened', async () => {
    const [closed, claimed, own, open] = await reportedNow(4);
    await close(uma, closed ?? '');
    await claim(uma, claimed ?? '');
    await server.db
      .updateTable('cases')
      .set({ evidence: JSON.stringify({ ownerId: ravi.id, owner: '', words: '' }) } as never)
      .where('id', '=', own ?? '')
      .execute();
    const nobody = '018f0000-0000-7000-8000-000000000000';
    const ids = [closed, claimed, own, open, nobody].map(String);
    const { data } = await decide(ravi, [...ids, ...ids]);
    expect(data).toMatchObject([
      { _id: closed, decided: false, refusal: { code: 'case_decided', params: { username: uma.username } } },
      {
        decided: false,
        refusal: { code: 'case_claimed', error: `${uma.username} is working on this case.` },
      },
      { decided: false, refusal: { code: 'own_work' } },
      done(open),
      { decided: false, refusal: { code: 'not_found' } },
    ]);
    expect(await list()).toHaveLength(2);
  });

  it('sent twice are decided once; a preview says the same and changes nothing', async () => {
    const ids = await reportedNow(3);
    const before = await acts();
    const preview = await decide(ravi, ids, { ...spam, preview: true });
    expect(preview.data).toEqual(ids.map(done));
    expect(await acts()).toEqual(before);
    expect(await list()).toHaveLength(3);
    expect((await decide(ravi, ids, spam)).data).toEqual(ids.map(done));
    const after = await acts();
    expect(after).toHaveLength(before.length + 3);
    expect((await decide(ravi, ids, spam)).data).toEqual(ids.map(done));
    expect(await acts()).toEqual(after);
    const decisions = server.db.selectFrom('decisions').select('rule').where('case_id', 'in', ids);
    expect(await decisions.execute()).toEqual([1, 2, 3].map(() => ({ rule: 'spam' })));
    expect(await list('?state=decided')).toMatchObject(ids.map(() => ({ state: 'taken_down' })));
  });

  it('are never suspensions or answers to appeals, and take a rule that allows them', async () => {
    await report({ kind: 'person', id: asha.id });
    const [person] = (await list()).map(({ _id }: { _id: string }) => _id);
    expect((await decide(ravi, [person], { ...spam, preview: true })).data).toMatchObject([
      { decided: false, refusal: { params: { what: 'suspend_instead' } } },
    ]);
    for (const wrong of [{ ...spam, rule: 'copied' }, { act: 'take-down' }, { act: 'suspend' }])
      expect((await decide(ravi, [person], wrong)).status).toBe(400);
    for (const ids of [[], Array.from({ length: 51 }, () => person), ['x']])
      expect((await decide(ravi, ids)).status).toBe(400);
    expect(await list()).toHaveLength(1);
  });

  it('of two operators at once are decided by one of them', async () => {
    const ids = await reportedNow(6);
    const [mine, theirs] = await Promise.all([decide(ravi, ids, spam), decide(uma, ids.toReversed(), spam)]);
    const count = ({ data }: { data: { decided: boolean }[] }) =>
      data.filter(({ decided }) => decided).length;
    expect(count(mine) + count(theirs)).toBe(6);
  });
});

describe('muted reports of a person', () => {
  let flood: Person;
  beforeEach(async () => {
    flood = await signUpSomebody(server, 'Flood');
  });
  const reportAs = async (change: object = {}) => {
    const { statusCode, json } = await server.inject({
      method: 'POST',
      url: '/api/report',
      headers: flood.headers,
      payload: { kind: 'post', id: photo, reason: 'spam', ...change },
    });
    return { ...json(), status: statusCode };
  };
  const mute = (days = 7) => as(ravi, `people/mute/${flood.id}`, { days, reason: 'Floods' });
  const day = 24 * hour;

  it('are dismissed with the mute, but for those with a deadline by law and those that others report too', async () => {
    const [alone, law] = [await publish('Alone'), await publish('By law')];
    const [shared, claimed] = [await publish('Shared'), await publish('Claimed')];
    const by = (id: string, reason = 'spam') =>
      server.inject({
        ...{ method: 'POST', url: '/api/report', headers: flood.headers },
        payload: { kind: 'post', id, reason },
      });
    for (const id of [alone, shared, claimed]) await by(id);
    await by(law, 'intimate');
    await report({ id: shared });
    const ofClaimed = (await list()).find(({ words }: { words: string }) => words === 'Claimed')._id;
    await claim(uma, ofClaimed);
    expect((await as(ravi, `people/${flood.id}`)).data.reported.dismissible).toBe(1);
    expect(
      (await as(ravi, `people/mute/${flood.id}`, { days: 7, reason: 'Floods', dismiss: true })).status,
    ).toBe(200);
    expect((await list()).map(({ words }: { words: string }) => words).toSorted()).toEqual([
      ...['By law', 'Claimed', 'Shared'],
    ]);
    expect(await list('?state=decided')).toMatchObject([{ words: 'Alone', closedBy: ravi.username }]);
    const [muted] = (await as(ravi, `log?about=${flood.id}`)).data;
    expect(muted).toMatchObject({ act: 'person.mute', details: { days: 7, dismissed: 1 } });
    // Until the next test.
    await as(ravi, `people/unmute/${flood.id}`, {});
  });

  it('are dismissed also if the person is muted already, and the mute does not change', async () => {
    await reportAs();
    const { reportsMutedUntil } = (await mute(30)).data;
    const dismissing = { days: 7, reason: 'More', dismiss: true };
    for (let twice = 0; twice < 2; twice += 1)
      expect(await as(ravi, `people/mute/${flood.id}`, dismissing)).toMatchObject({
        data: { reportsMutedUntil },
      });
    expect(await list('?state=decided')).toMatchObject([{ targetId: photo }]);
    const { data } = await as(ravi, `log?about=${flood.id}`);
    expect(data.map(({ details }: { details: object }) => details)).toEqual([
      { reason: 'More', dismissed: 1 },
      { days: 30, reason: 'Floods' },
    ]);
  });

  it('are dismissed, but not a case that another person reports at the same time', async () => {
    const other = await publish('Reported by others too');
    await reportAs();
    await reportAs({ id: other });
    const [{ _id: mine }] = (await list()).filter(({ targetId }: { targetId: string }) => targetId === photo);
    const muted = await server.db.transaction().execute(async (trx) => {
      await trx.updateTable('cases').set({ report_count: 2 }).where('id', '=', mine).execute();
      return await as(ravi, `people/mute/${flood.id}`, { days: 7, reason: 'Floods', dismiss: true });
    });
    expect(muted.status).toBe(200);
    expect(await list()).toMatchObject([{ targetId: photo }]);
    expect(await list('?state=decided')).toMatchObject([{ targetId: other }]);
  });

  it('are accepted as before, and are only in the list of muted ones until somebody else reports the same', async () => {
    await reportAs();
    expect(await mute()).toMatchObject({
      data: { reportsMutedUntil: new Date(start.getTime() + 7 * day).toISOString() },
    });
    // What was there before stays.
    expect(await list()).toHaveLength(1);
    const other = await publish();
    const { status, message, number } = await reportAs({ id: other, reason: 'violence' });
    expect([status, message]).toEqual([200, 'Thank you. We will look at it.']);
    expect((await server.inject({ url: `/api/report/${number}` })).json().data.state).toBe('received');
    expect(await list()).toMatchObject([{ targetId: photo }]);
    expect(await list('?state=muted')).toMatchObject([{ targetId: other, reports: 1 }]);
    expect((await as(ravi, 'reports/counts')).data.state).toEqual({ open: 1, mine: 0, muted: 1 });
    await report({ id: other });
    expect(await list('?state=muted')).toEqual([]);
    expect(await list()).toMatchObject([{ targetId: other, reports: 2 }, { targetId: photo }]);
  });

  it('do not bring forward the deadline of what others have reported', async () => {
    await mute();
    await report();
    const [{ dueAt }] = await list();
    await reportAs({ reason: 'violence' });
    expect(await list()).toMatchObject([{ reports: 2, dueAt }]);
  });

  it.each(['intimate', 'child_safety'])('are not those with a deadline by law: %s', async (reason) => {
    await mute();
    await reportAs({ reason });
    expect(await list()).toMatchObject([{ reasons: [reason] }]);
  });

  it.each(['intimate', 'child_safety'])(
    'are not what was reported before for another reason either: %s',
    async (reason) => {
      await mute();
      const { number } = await reportAs();
      expect(await list()).toEqual([]);
      later(hour);
      const dueAt = new Date(start.getTime() + 3 * hour).toISOString();
      for (let twice = 0; twice < 2; twice += 1) {
        expect((await reportAs({ reason })).number).toBe(number);
        expect(await list()).toMatchObject([{ reports: 1, reasons: ['spam', reason], dueAt }]);
        later(minute);
      }
      const id = await onlyCase();
      await close(ravi, id);
      // Sent again with its number after the decision.
      expect((await reportAs({ reason: 'intimate', number })).number).toBe(number);
      expect(await list()).toEqual([]);
    },
  );

  it('of an intimate picture, which was reported before, are noted also if both come at once', async () => {
    await mute();
    const answers = await Promise.all([reportAs(), reportAs({ reason: 'intimate' }), reportAs()]);
    expect(new Set(answers.map(({ number }) => number)).size).toBe(1);
    expect(await list()).toMatchObject([{ reports: 1, reasons: expect.arrayContaining(['intimate']) }]);
  });

  it('end by themselves', async () => {
    await mute();
    later(7 * day - minute);
    await reportAs();
    expect(await list()).toEqual([]);
    later(minute);
    await reportAs({ id: await publish() });
    expect(await list()).toHaveLength(1);
  });

  it('are ended by an operator, with the cases that they kept out of the queue, and both are logged', async () => {
    await mute(30);
    // No effect while it lasts.
    expect((await mute(7)).data.reportsMutedUntil).toBe(new Date(start.getTime() + 30 * day).toISOString());
    await reportAs();
    for (let twice = 0; twice < 2; twice += 1)
      expect(await as(uma, `people/unmute/${flood.id}`, {})).toMatchObject({
        data: { reportsMutedUntil: null },
      });
    expect(await list()).toMatchObject([{ targetId: photo }]);
    const { history } = (await as(ravi, `people/${flood.id}`)).data;
    expect(history).toMatchObject([
      { act: 'person.unmute', operator: uma.username },
      { act: 'person.mute', operator: ravi.username, details: { days: 30, reason: 'Floods' } },
    ]);
    for (const wrong of [{ days: 8, reason: 'x' }, { days: 7 }])
      expect((await as(ravi, `people/mute/${flood.id}`, wrong)).status).toBe(400);
    // The person reads nothing of it.
    const export_ = await server.inject({ url: `/api/getuser/${flood.id}`, headers: flood.headers });
    expect(export_.body).not.toMatch(/muted/i);
  });
});

describe('a label', () => {
  const label = (who: Person, target: string, rule = 'violence') =>
    as(who, 'reports/label', { target, rule, reason: 'A fight' });
  const shown = async () => (await server.inject({ url: `/api/post/getPost/${photo}` })).json().data;
  const decisions = () =>
    server.db
      .selectFrom('decisions')
      .select(['key', 'act', 'rule', 'case_id', 'ended_at'])
      .where('target_id', '=', photo)
      .orderBy('id')
      .execute();

  it('leaves the work public, says what it is to all who see it, and decides its case', async () => {
    const number = await report({ reason: 'violence' });
    const id = await onlyCase();
    expect((await shown()).label).toBeUndefined();
    for (let twice = 0; twice < 2; twice += 1)
      expect(await label(ravi, id)).toMatchObject({ data: { _id: photo, label: 'disturbing' } });
    expect((await shown()).label).toBe('disturbing');
    const state = await server.inject({ url: `/api/report/${number}` });
    expect(state.json().data).toEqual({ state: 'decided', outcome: 'acted' });
    const [decision, ...more] = await decisions();
    expect(more).toEqual([]);
    expect(decision).toMatchObject({ act: 'label', rule: 'violence', case_id: id, ended_at: null });
    const read = await server.inject({ url: `/api/decision/${decision?.key}` });
    expect(read.json().data).toMatchObject({ act: 'label', reason: 'A fight', endedAt: null });
    const notified = server.db
      .selectFrom('notifications')
      .select('kind')
      .where('about_id', '=', decision?.key ?? '');
    expect(await notified.execute()).toEqual([{ kind: 'work_labelled' }]);
    expect((await as(ravi, `reports/${id}`)).data).toMatchObject({ label: 'disturbing', state: 'public' });
  });

  it('is replaced by another one, and goes when an operator takes it away or an appeal succeeds', async () => {
    await label(ravi, `post:${photo}`);
    await label(uma, `post:${photo}`, 'altered');
    expect((await shown()).label).toBe('altered');
    expect(await decisions()).toMatchObject([{ ended_at: start }, { ended_at: null }]);
    await as(ravi, 'reports/unlabel', { target: `post:${photo}` });
    expect((await shown()).label).toBeUndefined();
    await label(ravi, `post:${photo}`);
    const last = (await decisions()).at(-1);
    const url = `/api/decision/appeal/${last?.key}`;
    await server.inject({ method: 'POST', url, payload: { text: 'It is a play.' } });
    const [appeal] = await list('?kind=appeal');
    expect(
      (await as(uma, `reports/answer/${appeal._id}`, { answer: 'reversed', reason: 'True' })).status,
    ).toBe(200);
    expect((await shown()).label).toBeUndefined();
    expect((await decisions()).every(({ ended_at }) => ended_at !== null)).toBe(true);
  });

  it('stays if an appeal against an earlier one succeeds', async () => {
    await label(ravi, `post:${photo}`);
    const [first] = await decisions();
    const url = `/api/decision/appeal/${first?.key}`;
    await server.inject({ method: 'POST', url, payload: { text: 'It is a play.' } });
    await label(ravi, `post:${photo}`, 'altered');
    const [appeal] = await list('?kind=appeal');
    const said = { answer: 'reversed', reason: 'True' };
    expect((await as(uma, `reports/answer/${appeal._id}`, said)).status).toBe(200);
    expect((await shown()).label).toBe('altered');
    expect(await decisions()).toMatchObject([{ ended_at: start }, { ended_at: null }]);
  });

  it('is not taken from their own work by an operator, nor is that made public again', async () => {
    photo = await publish('Boats', ravi);
    const target = `post:${photo}`;
    await label(uma, target);
    await as(uma, 'reports/take-down', { target, what: 'copy', rule: 'spam', reason: 'Spam' });
    for (const act of ['unlabel', 'restore'])
      expect(await as(ravi, `reports/${act}`, { target })).toMatchObject({ status: 403, code: 'own_work' });
    expect(await decisions()).toMatchObject([{ ended_at: null }, { ended_at: null }]);
    for (const act of ['unlabel', 'restore'])
      expect((await as(uma, `reports/${act}`, { target })).status).toBe(200);
  });

  it('stays while a work is taken down, and after it is public again', async () => {
    await label(ravi, `post:${photo}`);
    const target = `post:${photo}`;
    await as(ravi, 'reports/take-down', { target, what: 'copy', rule: 'spam', reason: 'Spam' });
    await as(ravi, 'reports/restore', { target });
    expect((await shown()).label).toBe('disturbing');
    expect(await decisions()).toMatchObject([
      { act: 'label', ended_at: null },
      { act: 'copy', ended_at: start },
    ]);
  });

  it('is refused by a rule without one, for people, for what another has claimed, and for own works', async () => {
    await report();
    const id = await onlyCase();
    expect(await label(ravi, id, 'spam')).toMatchObject({ status: 400, params: { what: 'rule_what' } });
    expect(await label(ravi, `person:${asha.id}`)).toMatchObject({ params: { what: 'label_kind' } });
    await claim(uma, id);
    expect(await label(ravi, id)).toMatchObject({ code: 'case_claimed' });
    expect((await shown()).label).toBeUndefined();
    photo = await publish('Boats', uma);
    expect(await label(uma, `post:${photo}`)).toMatchObject({ code: 'own_work' });
    expect((await shown()).label).toBeUndefined();
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
    const gone = await signUpOperator(server, 'Gone', start);
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

it('the first page of 100,000 cases and their counts come from an index, by any filter', async () => {
  await sql`insert into cases (id, kind, target_id, language, evidence, reasons, report_count, opened_at, due_at, closed_at, closed_by)
    select gen_random_uuid(), case when n % 1999 = 0 then 'comment' else 'reel' end, gen_random_uuid(),
      case when n % 2999 = 0 then 'hi' else 'en' end, '{"owner": "", "words": ""}', '{spam}', 1, now(), now() + n * interval '1 s',
      case when n % 2 = 0 then now() + n * interval '1 s' end, case when n % 2 = 0 then 'ravi' end
    from generate_series(1, 100000) n`.execute(server.db);
  await sql`analyze cases`.execute(server.db);
  const { db, plans } = explained(server.url);
  const filters = [{}, { kind: 'comment' }, { language: 'hi' }, { kind: 'comment', language: 'hi' }] as const;
  for (const filter of filters) {
    const which = { ...filter, operatorId: ravi.id, now: start };
    for (const state of ['open', 'decided', 'mine', 'muted'] as const)
      await listCases(db, { state, ...which }, 25, undefined);
    const counts = await countByFilter(db, which, 1001);
    if (filters[0] === filter)
      expect(counts).toEqual(
        expect.arrayContaining([
          { filter: 'state', value: 'open', count: 1001 },
          { filter: 'kind', value: 'reel', count: 1001 },
          { filter: 'kind', value: 'comment', count: 25 },
          { filter: 'language', value: 'hi', count: 17 },
        ]),
      );
  }
  for (const plan of await plans()) {
    expect(plan).toMatch(/cases_(queue|muted|open|one_open|closed|by_claimed_by)/);
    expect(plan).not.toContain('Seq Scan on cases');
  }
});
