import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  browser,
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { archiveOf } from '../export/archive.ts';

const zone = 'Asia/Kolkata';
const start = new Date('2026-11-15T06:30:00Z');

let server: TestServer;
let asha: Person;
let binod: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.now.value = start;
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server, 'Binod')];
});

const get = (url: string, person: Person, query = {}) =>
  call(server, { url, query, headers: person.headers });
const post = (url: string, person: Person, payload?: object) =>
  call(server, { method: 'POST', url, headers: person.headers, ...(payload ? { payload } : {}) });
const block = (by: Person, whom: Person) => post(`/api/block/${whom.id}`, by);
const ids = ({ data }: { data: { _id: string }[] }) => data.map(({ _id }) => _id);

/** All pages of a list, with the size of each. */
async function pagesOf(url: string, person: Person, limit: number) {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page = await get(url, person, { limit: String(limit), ...(cursor ? { cursor } : {}) });
    pages.push(ids(page));
    cursor = page.nextCursor;
  } while (cursor);
  return pages;
}

describe('somebody who blocks back', () => {
  const answerOf = async (by: Person, id: string, method: 'POST' | 'DELETE' = 'POST') => {
    const { statusCode, json } = await server.inject({
      method,
      url: `/api/block/${id}`,
      headers: by.headers,
    });
    const { requestId: _, ...body } = json();
    return { statusCode, body };
  };
  const unblock = (by: Person, { id }: Person) => answerOf(by, id, 'DELETE');
  const listOf = async (by: Person) => ids(await get('/api/block', by));
  const sees = async (viewer: Person, { id }: Person) =>
    (await server.inject({ url: `/api/getuser/${id}`, headers: viewer.headers })).statusCode === 200;
  const nobody = '018f0000-0000-7000-8000-000000000000';

  it('gets the answer of an unknown id, each time, and sees nothing in the list or the export', async () => {
    await block(asha, binod);
    const unknown = await answerOf(binod, nobody);
    expect(unknown.statusCode).toBe(404);
    for (let time = 0; time < 2; time += 1) {
      expect(await answerOf(binod, asha.id)).toEqual(unknown);
      expect(await listOf(binod)).toEqual([]);
      const parts: Uint8Array[] = [];
      for await (const part of archiveOf(server.context, binod.id)) parts.push(part);
      const exported = Buffer.concat(parts);
      expect(exported.includes('blocked.json')).toBe(true);
      expect(exported.includes(asha.id)).toBe(false);
    }
    // Who blocked first is not told either.
    expect((await answerOf(asha, binod.id)).statusCode).toBe(200);
    expect(await listOf(asha)).toEqual([binod.id]);
  });

  it('has blocked the other once the other ends their block', async () => {
    await block(asha, binod);
    await answerOf(binod, asha.id);
    await unblock(asha, binod);
    expect(await listOf(binod)).toEqual([asha.id]);
    expect([await sees(asha, binod), await sees(binod, asha)]).toEqual([false, false]);
    expect((await answerOf(binod, asha.id)).statusCode).toBe(200);
    // Now the first one is the one who blocks back.
    expect((await answerOf(asha, binod.id)).statusCode).toBe(404);
    expect([await listOf(asha), await listOf(binod)]).toEqual([[], [asha.id]]);
    await unblock(binod, asha);
    expect([await listOf(asha), await sees(binod, asha)]).toEqual([[binod.id], false]);
    await unblock(asha, binod);
    expect(await sees(binod, asha)).toBe(true);
  });

  it('takes it back like any block', async () => {
    await block(asha, binod);
    await answerOf(binod, asha.id);
    expect((await unblock(binod, asha)).statusCode).toBe(200);
    await unblock(asha, binod);
    expect(await sees(binod, asha)).toBe(true);
  });

  it('at the same moment ends in one block that shows, and one that does not', async () => {
    const answers = await Promise.all([answerOf(asha, binod.id), answerOf(binod, asha.id)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404]);
    const lists = [...(await listOf(asha)), ...(await listOf(binod))];
    expect(lists).toHaveLength(1);
  });
});

describe('a list of somebody with a block (decisions §8)', () => {
  it('has full pages without gaps and repetitions, also where most of it is left out', async () => {
    const seen: string[] = [];
    for (let n = 0; n < 13; n += 1) {
      const isOther = n % 4 !== 0;
      const at = new Date(start.getTime() + n * 1000);
      const id = await publishedReel(server.db, (isOther ? binod : asha).id, at, zone);
      if (!isOther) seen.unshift(id);
    }
    const plain = await pagesOf('/api/reel/getallReels', asha, 3);
    await block(asha, binod);
    expect(await pagesOf('/api/reel/getallReels', asha, 3)).toEqual([seen.slice(0, 3), seen.slice(3)]);
    // Unblocked, it is the list of everybody again.
    await server.inject({ method: 'DELETE', url: `/api/block/${binod.id}`, headers: asha.headers });
    expect(await pagesOf('/api/reel/getallReels', asha, 3)).toEqual(plain);
  });

  it('of people found by a name that many share has full pages, best match first', async () => {
    const name = 'Kavya Shared';
    const many: Person[] = [];
    for (let n = 0; n < 6; n += 1) many.unshift(await signUpSomebody(server, name));
    for (const one of many.slice(0, 3)) await block(asha, one);
    const url = `/api/getallUser?q=${encodeURIComponent(name)}`;
    expect((await pagesOf(url, asha, 2)).map((page) => page.length)).toEqual([2, 1]);
    expect((await pagesOf(url, asha, 2)).flat().sort()).toEqual(
      many
        .slice(3)
        .map(({ id }) => id)
        .sort(),
    );
  });

  it('is right at once after the block, and right for others at the same moment', async () => {
    const id = await publishedReel(server.db, binod.id, start, zone);
    const shows = async (person: Person) => ids(await get('/api/reel/getallReels', person)).includes(id);
    expect(await shows(asha)).toBe(true);
    await block(asha, binod);
    const charu = await signUpSomebody(server);
    expect(await Promise.all([asha, charu, binod, asha].map(shows))).toEqual([false, true, true, false]);
  });
});

describe('a block takes nothing back', () => {
  it('of likes: they stay in the exact counts and are paid', async () => {
    const photo = await publishPicture(server.db, server.dataDir, asha.id, 'A photo', start);
    await post(`/api/post/like/${photo}`, binod);
    const counts = async () => ({
      paid: (await get(`/api/post/likedPosts/count/${asha.id}`, asha)).totalLikedPosts,
      shown: (await call(server, { url: `/api/post/getPost/${photo}` })).data.likeCount,
      own: (await get(`/api/post/getPost/${photo}`, asha)).data.likeCount,
    });
    const before = await counts();
    expect(before).toEqual({ paid: 1, shown: 1, own: 1 });
    for (const [by, whom] of [
      [asha, binod],
      [binod, asha],
    ] as const) {
      await block(by, whom);
      expect(await counts()).toEqual(before);
      // Nor can the person who liked it: the post is not there for them.
      const unlike = { method: 'DELETE' as const, url: `/api/post/like/${photo}`, headers: binod.headers };
      expect((await server.inject(unlike)).statusCode).toBe(404);
      expect(await counts()).toEqual(before);
      await server.inject({ method: 'DELETE', url: `/api/block/${whom.id}`, headers: by.headers });
    }
  });

  it('of a showing that began before it: what was watched counts', async () => {
    const reel = await publishedReel(server.db, asha.id, start, zone);
    await server.db.updateTable('reels').set({ seconds: 30 }).where('id', '=', reel).execute();
    const remoteAddress = '127.41.0.1';
    const request = (url: string, payload: object) =>
      call(server, {
        method: 'POST',
        url,
        payload,
        remoteAddress,
        headers: { ...binod.headers, 'user-agent': browser },
      });
    const viewer = 'a'.repeat(32);
    const { lease } = await request(`/api/reel/increaseView/${reel}`, { viewer });
    await block(asha, binod);
    server.now.value = new Date(start.getTime() + 20_000);
    expect(await request('/api/reel/watched', { watched: [{ lease, seconds: 20 }] })).toMatchObject({
      counted: 1,
    });
    expect((await get(`/api/reel/totalViewsByUser/${asha.id}`, asha)).totalViews).toBe(1);
  });
});

it('a thief who blocks the author cannot prevent a complaint, and operators see everybody', async () => {
  const stolen = await publishedReel(server.db, binod.id, start, zone);
  await block(binod, asha);
  await post('/api/report', asha, { kind: 'reel', id: stolen, reason: 'copied', text: 'This is mine.' });
  await post('/api/report', asha, { kind: 'person', id: binod.id, reason: 'copied' });
  const stored = await server.db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'case_id')
    .select(['target_id', 'reason'])
    .where('reporter_id', '=', asha.id)
    .orderBy('kind')
    .execute();
  expect(stored).toEqual([
    { target_id: binod.id, reason: 'copied' },
    { target_id: stolen, reason: 'copied' },
  ]);
  const operator = await signUpSomebody(server);
  await makeOperator(server, operator.id, start);
  await block(binod, operator);
  const { data } = await get('/api/operator/reports', operator);
  expect(data.map(({ targetId }: { targetId: string }) => targetId)).toContain(stolen);
  expect((await get(`/api/operator/people?q=${binod.username}`, operator)).data).toHaveLength(1);
});

it('the unread count leaves out who is blocked, and unblocking shows their notifications again', async () => {
  const [charu, reel] = [await signUpSomebody(server), await publishedReel(server.db, asha.id, start, zone)];
  for (const person of [binod, charu]) await post(`/api/reel/like/${reel}`, person);
  const unread = async () => (await get(`/api/notification/getNotifications/${asha.id}`, asha)).unread;
  expect(await unread()).toBe(2);
  await block(binod, asha);
  expect(await unread()).toBe(1);
  await server.inject({ method: 'DELETE', url: `/api/block/${asha.id}`, headers: binod.headers });
  expect(await unread()).toBe(2);
});
