import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

let server: TestServer;
let asha: Person;
let binod: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server, 'Binod')];
});

const act = (method: 'POST' | 'DELETE', what: 'follow' | 'block', by: Person, whom: string) =>
  server.inject({ method, url: `/api/${what}/${whom}`, headers: by.headers });
const profile = async (person: Person) => (await call(server, { url: `/api/getuser/${person.id}` })).data;
const names = (answer: { data: { _id: string }[] }) => answer.data.map(({ _id }) => _id);

describe('following through the app (decisions §5)', () => {
  it('counts once on both sides, returns the count, and can be undone', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => act('POST', 'follow', binod, asha.id)));
    expect(answers.map((answer) => answer.json().followerCount)).toEqual([1, 1, 1]);
    expect(await profile(asha)).toMatchObject({ followers: [binod.id], followerCount: 1 });
    expect(await profile(binod)).toMatchObject({ following: [asha.id], followingCount: 1 });
    expect((await act('DELETE', 'follow', binod, asha.id)).json()).toMatchObject({
      following: false,
      followerCount: 0,
    });
    expect(await profile(binod)).toMatchObject({ followingCount: 0 });
  });

  it('can be undone while the followed account is suspended', async () => {
    await act('POST', 'follow', binod, asha.id);
    const suspend = (at: Date | null) =>
      server.db.updateTable('people').set({ suspended_at: at }).where('id', '=', asha.id).execute();
    await suspend(new Date());
    expect((await act('DELETE', 'follow', binod, asha.id)).statusCode).toBe(200);
    expect((await act('DELETE', 'follow', binod, asha.id)).statusCode).toBe(404);
    await suspend(null);
    expect(await profile(asha)).toMatchObject({ followers: [], followerCount: 0 });
  });

  it('is known to the follower for as many people as they ask about', async () => {
    const followed = async (ids: string[]) =>
      (await call(server, { method: 'POST', url: '/api/followed', headers: binod.headers, payload: { ids } }))
        .data;
    const asked = [asha.id, binod.id];
    expect(await followed(asked)).toEqual([]);
    await act('POST', 'follow', binod, asha.id);
    expect(await followed(asked)).toEqual([asha.id]);
    await act('POST', 'block', asha, binod.id);
    expect(await followed(asked)).toEqual([]);
  });

  it('oneself or an unknown person is refused', async () => {
    expect((await act('POST', 'follow', asha, asha.id)).json().error).toBe('You cannot follow yourself.');
    expect((await act('POST', 'follow', asha, '018f0000-0000-7000-8000-000000000000')).statusCode).toBe(404);
  });

  it('lists followers and followed people, newest first, in pages', async () => {
    const people: Person[] = [];
    for (let n = 0; n < 3; n += 1) {
      const person = await signUpSomebody(server);
      await act('POST', 'follow', person, asha.id);
      await act('POST', 'follow', asha, person.id);
      people.unshift(person);
    }
    for (const list of ['followers', 'following']) {
      const first = await call(server, { url: `/api/${list}/${asha.id}`, query: { limit: '2' } });
      const query = { limit: '2', cursor: first.nextCursor };
      const second = await call(server, { url: `/api/${list}/${asha.id}`, query });
      expect([...names(first), ...names(second)]).toEqual(people.map(({ id }) => id));
      expect(JSON.stringify(first)).not.toContain('@');
    }
  });
});

describe('blocking a person (decisions §8)', () => {
  it('ends follows in both directions and prevents new ones, by either', async () => {
    await act('POST', 'follow', binod, asha.id);
    await act('POST', 'follow', asha, binod.id);
    await Promise.all([1, 2].map(() => act('POST', 'block', asha, binod.id)));
    for (const person of [asha, binod])
      expect(await profile(person)).toMatchObject({ followerCount: 0, followingCount: 0 });
    for (const [person, whom] of [
      [binod, asha],
      [asha, binod],
    ] as const) {
      const refused = await act('POST', 'follow', person, whom.id);
      expect([refused.statusCode, refused.json().error]).toEqual([404, 'User not found']);
    }
  });

  it('at the moment they follow leaves no follow', async () => {
    await Promise.all([
      act('POST', 'follow', binod, asha.id),
      act('POST', 'block', asha, binod.id),
      act('POST', 'follow', binod, asha.id),
    ]);
    expect(await profile(asha)).toMatchObject({ followers: [], followerCount: 0 });
  });

  it('is visible to the blocking person only, and can be undone', async () => {
    await act('POST', 'block', asha, binod.id);
    expect(names(await call(server, { url: '/api/block', headers: asha.headers }))).toEqual([binod.id]);
    expect(names(await call(server, { url: '/api/block', headers: binod.headers }))).toEqual([]);
    for (const _twice of [1, 2]) expect((await act('DELETE', 'block', asha, binod.id)).statusCode).toBe(200);
    expect((await act('POST', 'follow', binod, asha.id)).statusCode).toBe(200);
  });

  it('and unblocking them brings no follow back', async () => {
    await act('POST', 'follow', binod, asha.id);
    await act('POST', 'block', asha, binod.id);
    await act('DELETE', 'block', asha, binod.id);
    expect(await profile(asha)).toMatchObject({ followers: [], followerCount: 0 });
  });

  it('by both at the same moment shows one block, and the other one stays when its owner ends it', async () => {
    const answers = await Promise.all([
      act('POST', 'block', asha, binod.id),
      act('POST', 'block', binod, asha.id),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
    const [first, second] = answers[0].statusCode === 200 ? [asha, binod] : [binod, asha];
    await act('DELETE', 'block', first, second.id);
    expect((await act('POST', 'follow', binod, asha.id)).statusCode).toBe(404);
    await act('DELETE', 'block', second, first.id);
    expect((await act('POST', 'follow', binod, asha.id)).statusCode).toBe(200);
  });

  it('is possible for 5,000 people, also at the same moment, and repeated for one of them [long]', async () => {
    const [first, last] = [await signUpSomebody(server), await signUpSomebody(server)];
    await act('POST', 'block', asha, first.id);
    await sql`
      with made as (
        insert into people (id, name, name_key, username, username_key, look_key, email, email_key, password_hash, created_at)
        select gen_random_uuid(), 'Somebody', 'somebody', 'blocked' || n, 'blocked' || n, 'blocked' || n, 'blocked' || n || '@people.example', 'blocked' || n || '@people.example', '', now()
        from generate_series(1, 4998) n returning id
      ) insert into blocks select ${asha.id}, id, now() from made`.execute(server.db);
    const answers = await Promise.all([binod, last].map(({ id }) => act('POST', 'block', asha, id)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
      code: 'too_many_blocks',
      error: 'You can block at most 5,000 people.',
    });
    expect((await act('POST', 'block', asha, first.id)).statusCode).toBe(200);
    await act('DELETE', 'block', asha, first.id);
    expect((await act('POST', 'block', asha, first.id)).statusCode).toBe(200);
  });
});
