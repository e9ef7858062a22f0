import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Act } from '#contract/acts.ts';
import type { LoggedAct, NamedAct } from '#contract/operators.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { contextOn } from '#testing/context.ts';
import { publishPicture, publishStatus } from '#testing/fixtures/posts.ts';
import { explained } from '#testing/fixtures/query-plans.ts';
import { failedReel } from '#testing/fixtures/reels.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { makeOperator, signUpOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { logAct } from '../audit-log/audit-log.ts';
import { listLog } from './log.ts';

let server: TestServer;
let asha: Person;
let ravi: Person;
beforeAll(async () => {
  server = await startTestServer();
  asha = await signUpSomebody(server);
  ravi = await signUpOperator(server, 'Ravi');
});
afterAll(() => server.close());

const ask = async (path: string, who: Person = ravi) =>
  await server.inject({ url: `/api/operator/log${path}`, headers: who.headers });
const listed = async (query: Record<string, string>): Promise<LoggedAct[]> =>
  (await ask(`?${new URLSearchParams(query)}`)).json().data;
const write = (operator: string, act: Act, target: { kind: string; id: string }, at: string) =>
  inTransaction(server.db, (trx) =>
    logAct(trx, { id: null, name: operator }, { act, target, details: { reason: at } }, new Date(at)),
  );

describe('the log of operators', () => {
  const reel = newId(new Date());
  beforeAll(async () => {
    const person = { kind: 'person', id: asha.id };
    await write('uma', 'person.suspend', person, '2026-10-01T18:29:59Z');
    await write('uma', 'person.restore', person, '2026-10-01T18:30:00Z');
    await write('ira', 'content.take-down', { kind: 'reel', id: reel }, '2026-10-02T18:29:59Z');
    await write('ira', 'person.suspend', person, '2026-10-02T18:30:00Z');
    await write('ira', 'site.backup', { kind: 'site', id: '/backup/a:b' }, '2026-10-03T10:00:00Z');
  });
  const all = ['site.backup', 'person.suspend', 'content.take-down', 'person.restore', 'person.suspend'];
  const actsBy = async (query: Record<string, string>) => (await listed(query)).map(({ act }) => act);

  it.each([
    ['all by default, newest first', {}, all],
    ['by operator', { operator: 'uma' }, ['person.restore', 'person.suspend']],
    ['by operator, written with an @', { operator: '@uma' }, ['person.restore', 'person.suspend']],
    ['by act', { act: 'person.suspend' }, ['person.suspend', 'person.suspend']],
    ['by kind and id', { about: `reel:${reel}` }, ['content.take-down']],
    ['by an id of another kind', { about: `post:${reel}` }, []],
    ['by id', { about: reel.toUpperCase() }, ['content.take-down']],
    ['by a folder', { about: 'site:/backup/a:b' }, ['site.backup']],
    ['by the first day, in the time zone of the site', { from: '2026-10-02' }, all.slice(0, 4)],
    ['by the last day, in the time zone of the site', { to: '2026-10-02' }, all.slice(2)],
    ['by a day', { from: '2026-10-02', to: '2026-10-02' }, ['content.take-down', 'person.restore']],
    [
      'by several at once',
      { operator: 'ira', act: 'person.suspend', from: '2026-10-03' },
      ['person.suspend'],
    ],
  ])('is listed %s', async (_, query, acts) => expect(await actsBy(query)).toEqual(acts));

  it('is listed by a username', async () => {
    const about = await actsBy({ about: `@${asha.username.toUpperCase()}` });
    expect(about).toEqual(['person.suspend', 'person.restore', 'person.suspend']);
  });

  it('is paged with its filters', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const page: { data: LoggedAct[]; nextCursor: string | null } = (
        await ask(`?act=person.suspend&limit=1${cursor ? `&cursor=${cursor}` : ''}`)
      ).json();
      seen.push(...page.data.map(({ operator }) => operator));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(['ira', 'uma']);
  });

  it('shows one act with the newest ones on the same target', async () => {
    const [suspended] = await listed({ act: 'person.suspend' });
    const { data } = (await ask(`/${suspended?._id}`)).json();
    expect(data).toMatchObject({ ...suspended, details: { reason: '2026-10-02T18:30:00Z' } });
    expect(data.history.map(({ act }: LoggedAct) => act)).toEqual([
      'person.suspend',
      'person.restore',
      'person.suspend',
    ]);
  });

  it.each([
    ['?act=report.eat', 400, 'act is a name of the log, such as report.close.'],
    ['?from=2026-13-01', 400, 'This is not a day; write it as YYYY-MM-DD.'],
    ['?from=0000-01-01', 400, 'This is not a day; write it as YYYY-MM-DD.'],
    ['?to=yesterday', 400, 'This is not a day; write it as YYYY-MM-DD.'],
    ['?about=nobody.here', 404, 'There is no such person.'],
    ['/018f0000-0000-7000-8005-000000000000', 404, 'There is no such act in the log.'],
  ])('answers %s with one sentence', async (path, status, sentence) => {
    const answer = await ask(path);
    expect([answer.statusCode, answer.json().error]).toEqual([status, sentence]);
  });

  it('is 404 without the operator role', async () => {
    const [act] = await listed({});
    for (const path of ['', '?operator=uma', `/${act?._id}`])
      expect((await ask(path, asha)).statusCode).toBe(404);
  });
});

it('the first page of 100,000 acts comes from an index, by any filter', async () => {
  await sql`insert into audit_log (id, operator, act, target_kind, target_id, details, acted_at)
    select gen_random_uuid(), case when n % 5003 = 0 then 'rare' else 'often' end,
      case when n % 4001 = 0 then 'keys.rotate' else 'report.close' end, 'report', gen_random_uuid(), '{}',
      timestamptz '2026-01-01' + n * interval '1 min'
    from generate_series(1, 100000) n`.execute(server.db);
  await sql`analyze audit_log`.execute(server.db);
  const { db, plans } = explained(server.url);
  const context = contextOn(db);
  const filters = [
    ...[{}, { operator: 'rare' }, { operator: 'often' }, { act: 'keys.rotate' }, { act: 'report.close' }],
    ...[{ about: `report:${newId(new Date())}` }, { from: '2026-02-01' }, { to: '2026-01-02' }],
    ...[
      { operator: 'rare', act: 'report.close' },
      { operator: 'often', act: 'keys.rotate', to: '2026-02-02' },
    ],
  ];
  for (const filter of filters) await listLog(context, { limit: 24, ...filter } as never, undefined);
  // Others read the names of what the acts are about.
  const found = (await plans()).filter((plan) => plan.includes('audit_log'));
  expect(found).toHaveLength(filters.length);
  for (const plan of found) {
    expect(plan).toMatch(/audit_log_(newest|by_operator|by_act|about)/);
    expect(plan).not.toContain('Seq Scan');
  }
});

describe('an act', () => {
  it('says in words what was done to which thing, but for what may show a child', async () => {
    const mona = await signUpOperator(server, 'Mona', undefined, 'moderator');
    const of = async (caption: string, reason: string, rule: string, hue: string) => {
      const id = await publishPicture(server.db, server.dataDir, asha.id, caption, new Date(), hue);
      const send = (url: string, payload: object, headers: Person['headers'] | undefined = undefined) =>
        server.inject({ method: 'POST', url, payload, ...(headers ? { headers } : {}) });
      await send('/api/report', { kind: 'post', id, reason });
      const said = { target: `post:${id}`, what: 'content', rule, reason: 'Gone' };
      await send('/api/operator/reports/take-down', said, ravi.headers);
      const acts = async (who: Person) => (await ask(`?about=post:${id}`, who)).json().data;
      return { acts };
    };
    const boats = await of('Boats for sale', 'spam', 'spam', '#204060');
    const thing = { kind: 'post', words: 'Boats for sale', owner: asha.username };
    expect(await boats.acts(mona)).toMatchObject([{ thing, details: { rule: 'spam' } }]);
    const child = await of('A name', 'child_safety', 'child_safety', '#c0a010');
    expect(await child.acts(ravi)).toMatchObject([{ thing: { words: 'A name' } }]);
    expect(await child.acts(mona)).toMatchObject([{ thing: null, details: {} }]);
  });

  it('says what it was done to only to who may read cases, but for people', async () => {
    const [paula, mona] = [await signUpSomebody(server, 'Paula'), await signUpSomebody(server, 'Mona')];
    await makeOperator(server, paula.id, undefined, 'payer');
    await makeOperator(server, mona.id, undefined, 'moderator');
    const id = await publishPicture(
      server.db,
      server.dataDir,
      asha.id,
      'Nets for sale',
      new Date(),
      '#702060',
    );
    await call(server, { method: 'POST', url: '/api/report', payload: { kind: 'post', id, reason: 'spam' } });
    const said = { target: `post:${id}`, what: 'content', rule: 'spam', reason: 'Gone' };
    const { headers } = ravi;
    const { data: cases } = await call(server, { url: '/api/operator/reports', headers });
    const caseId = cases.find(({ targetId }: { targetId: string }) => targetId === id)._id;
    await call(server, {
      method: 'POST',
      url: `/api/operator/reports/note/${caseId}`,
      headers,
      payload: { text: 'Seen' },
    });
    await call(server, { method: 'POST', url: '/api/operator/reports/take-down', headers, payload: said });
    const thingsFor = async (who: Person, about: string) => {
      const listed: NamedAct[] = (await ask(`?about=${about}`, who)).json().data;
      const shown: NamedAct = (await ask(`/${listed[0]?._id}`, who)).json().data;
      expect(shown.thing).toEqual(listed[0]?.thing);
      return listed[0]?.thing;
    };
    const thing = { kind: 'post', words: 'Nets for sale', owner: asha.username };
    for (const about of [`post:${id}`, `report:${caseId}`]) {
      expect(await thingsFor(mona, about)).toEqual(thing);
      expect(await thingsFor(ravi, about)).toEqual(thing);
      expect(await thingsFor(paula, about)).toBeNull();
    }
    const person = `person:${asha.id}`;
    expect(await thingsFor(paula, person)).toMatchObject({ owner: asha.username });
    expect(await thingsFor(paula, person)).toEqual(await thingsFor(mona, person));
  });

  const makeOne = {
    reel: () => failedReel(server.db, asha.id),
    post: () => publishPicture(server.db, server.dataDir, asha.id, 'Oars', new Date(), '#a03020'),
    async story() {
      await publishStatus(server.db, server.dataDir, asha.id, 'At sea', new Date());
      return (await server.db.selectFrom('stories').select('id').executeTakeFirstOrThrow()).id;
    },
  };
  it.each(['reel', 'post', 'story'] as const)('has no words of a %s that was deleted', async (kind) => {
    const id = await makeOne[kind]();
    await write('uma', 'content.take-down', { kind, id }, '2026-10-04T10:00:00Z');
    const things = async () =>
      (await listed({ about: `${kind}:${id}` })).map((act) => (act as NamedAct).thing);
    expect(await things()).toMatchObject([{ kind, owner: asha.username }]);
    const table = { reel: 'reels', post: 'posts', story: 'stories' } as const;
    await changeWorks(server.db, (trx) =>
      trx.updateTable(table[kind]).set({ deleted_at: new Date() }).where('id', '=', id).execute(),
    );
    expect(await things()).toEqual([null]);
  });
});
