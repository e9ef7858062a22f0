import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contextAt, contextOn } from '#testing/context.ts';
import { follow } from '#testing/fixtures/follows.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { someOf } from '#testing/share.ts';
import { findPeople } from '../operators/people.ts';
import { unfollow } from './follows.ts';

let server: TestServer;
let [asha, binod]: Person[] = [];
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server)];
});

const shown = async (person: Person | undefined) =>
  (await call(server, { url: `/api/getuser/${person?.id}` })).data;
const ids = () => [asha?.id ?? '', binod?.id ?? ''] as const;

describe('a profile (specification §7, decisions §2)', () => {
  it('is public, except for the e-mail address', async () => {
    const person = await shown(asha);
    expect(person).toMatchObject({ _id: asha?.id, username: asha?.username, followerCount: 0, reelCount: 0 });
    expect(JSON.stringify(person)).not.toContain('@');
  });

  it.each(['018f0000-0000-7000-8000-000000000000'])(
    'of an unknown person is answered with 404',
    async (id) => {
      const response = await server.inject({ url: `/api/getuser/${id}` });
      expect(response.statusCode).toBe(404);
      expect(response.json().error).toBe('User not found');
    },
  );

  it('of a suspended person is answered with 404', async () => {
    await server.db
      .updateTable('people')
      .set({ suspended_at: new Date() })
      .where('id', '=', ids()[0])
      .execute();
    expect((await server.inject({ url: `/api/getuser/${asha?.id}` })).statusCode).toBe(404);
    const response = await server.inject({
      method: 'POST',
      url: '/api/userdata',
      payload: { token: asha?.token },
    });
    expect(response.statusCode).toBe(401);
  });
});

describe('following', () => {
  it('counts once on both sides, however often it is repeated, and can be undone', async () => {
    const [one, other] = ids();
    await Promise.all([1, 2, 3].map(() => follow(contextOn(server.db), one, other)));
    expect(await shown(binod)).toMatchObject({ followers: [one], followerCount: 1, followingCount: 0 });
    expect(await shown(asha)).toMatchObject({ following: [other], followerCount: 0, followingCount: 1 });
    await Promise.all([1, 2, 3].map(() => unfollow(server.db, one, other)));
    expect(await shown(binod)).toMatchObject({ followers: [], followerCount: 0 });
  });

  it('each other at the same moment causes no deadlock', async () => {
    const [one, other] = ids();
    const now = new Date();
    await Promise.all(
      Array.from({ length: 10 }, () => [
        follow(contextAt(server.db, now), one, other),
        follow(contextAt(server.db, now), other, one),
      ]).flat(),
    );
    expect(await shown(asha)).toMatchObject({ followerCount: 1, followingCount: 1 });
  });
});

describe('finding people (specification §2, /AllUsers)', () => {
  const find = async (query: Record<string, string>) => await call(server, { url: '/api/getallUser', query });
  const names = (answer: { data: { name: string }[] }) => answer.data.map(({ name }) => name);

  it('searches all people by any part of name or username, in any case', async () => {
    const mark = `q${Date.now()}`;
    await signUpSomebody(server, `Zubin ${mark}`);
    const devanagari = await signUpSomebody(server, `मीरा कुमारी ${mark}`);
    for (let n = 0; n < 30; n += 1) await signUpSomebody(server, `Other ${mark}`);
    expect(names(await find({ q: `ZUBIN ${mark.toUpperCase()}` }))).toEqual([`Zubin ${mark}`]);
    expect(names(await find({ q: 'रा कुमा' }))).toContain(`मीरा कुमारी ${mark}`);
    expect(names(await find({ q: devanagari.username.slice(2) }))).toContain(`मीरा कुमारी ${mark}`);
    expect((await find({ q: `nobody ${mark}` })).data).toEqual([]);
  });

  it('finds one or two letters in the middle of a name or username', async () => {
    const mark = `Qu${Date.now()}`;
    await signUpSomebody(server, `Rohan D'Souza ${mark}`);
    for (const q of ['oh', 'OH', "'s", 'n', 'uz'])
      expect(names(await find({ q, limit: '1' }))).toEqual([`Rohan D'Souza ${mark}`]);
  });

  it('lists exact matches first, then prefixes, across pages', async () => {
    const mark = `r${Date.now()}`;
    for (const name of [mark, `x ${mark}`, `${mark} y`, `x${mark}`, `${mark}z`])
      await signUpSomebody(server, name);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: { name: string }[]; nextCursor: string | null } = await find({
        q: mark,
        limit: '2',
        ...(cursor ? { cursor } : {}),
      });
      found.push(...names(page));
      cursor = page.nextCursor;
    } while (cursor);
    expect(found).toEqual([mark, `${mark}z`, `${mark} y`, `x${mark}`, `x ${mark}`]);
  });

  it('treats wildcard characters of the database as plain text', async () => {
    const mark = `s${Date.now()}`;
    await signUpSomebody(server, `${mark}%_\\`);
    expect(names(await find({ q: `${mark}%_\\` }))).toEqual([`${mark}%_\\`]);
    expect(names(await find({ q: `${mark}__` }))).toEqual([]);
  });

  // Which letters are alike is in names.test.ts.
  const spellings = [
    ['a letter with a nukta, in one character or in two', '\u0958मल', '\u0915\u093Cमल'],
    ['joiners', 'शर्\u200Dमा', 'शर्मा'],
    ['non-joiners', 'نوید\u200Cی', 'نویدی'],
    ['a capital İ', 'İpek', 'İPEK'],
    ['capitals that are not in ASCII', 'ÉLODIE', 'élodie'],
    ['full-width letters', 'ＡＳＨＡＬＡＴＡ', 'ashalata'],
    ['ligatures', 'ﬁroz', 'firoz'],
  ] as const;
  it.each(someOf(spellings, 1))(
    'finds a name regardless of %s, also in the middle of it',
    async (_, one, other) => {
      const mark = `z${Date.now()}`;
      for (const [name, q] of [
        [one, other],
        [other, one],
      ] as const) {
        const person = await signUpSomebody(server, `${name}${mark}`);
        const { id } = await signUpSomebody(server, `Miss ${name}${mark}`);
        // As written by an operator, too.
        const found = await find({ q: `${q}${mark}` });
        expect(found.data.map(({ _id }: { _id: string }) => _id)).toEqual([person.id, id]);
        const { data } = await findPeople(server.db, { q: `${q}${mark}`, limit: 9, cursor: undefined });
        expect(data.map(({ _id }) => _id).sort()).toEqual([person.id, id].sort());
        await server.db.deleteFrom('people').where('id', 'in', [person.id, id]).execute();
      }
    },
  );

  it('finds a full-width username', async () => {
    const mark = `ＡＳＨＡ${Date.now()}`;
    const { id, headers } = await signUpSomebody(server);
    const edited = await server.inject({
      method: 'POST',
      url: '/api/profile/edit',
      payload: { username: mark },
      headers,
    });
    expect(edited.statusCode).toBe(200);
    expect((await find({ q: mark })).data).toMatchObject([{ _id: id }]);
  });

  it('does not list suspended people', async () => {
    const gone = await signUpSomebody(server, `Gone ${Date.now()}`);
    await server.db
      .updateTable('people')
      .set({ suspended_at: new Date() })
      .where('id', '=', gone.id)
      .execute();
    expect((await find({ q: gone.username })).data).toEqual([]);
  });

  it('uses its index', async () => {
    const plan = await server.db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      return await sql<{ 'QUERY PLAN': string }>`explain select id from people
        where (name_key || ' ' || username_key) like '%needle%'`.execute(trx);
    });
    expect(JSON.stringify(plan.rows)).toContain('people_search');
  });
});
