import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

/** What requests evict from the response cache (decision 0020). */

let server: TestServer;
let asha: Person;
let operator: Person;
beforeAll(async () => {
  server = await startTestServer();
  operator = await signUpSomebody(server, 'Olu');
  await makeOperator(server, operator.id);
});
afterAll(() => server.close());
beforeEach(async () => {
  asha = await signUpSomebody(server);
});

type Method = 'GET' | 'POST' | 'DELETE';
const ask = (method: Method, url: string, payload: object = {}, person = asha) =>
  call(server, { method, url, headers: person.headers, ...(method === 'POST' ? { payload } : {}) });

/** A response is cached for a second: if a list is rendered again sooner, it was evicted and has not expired. */
const soon = 800;
let lists = 0;

/** Whether a cached list is rendered again after `act`. Repeated if the machine was too slow. */
async function evicts(act: () => Promise<unknown>): Promise<boolean> {
  for (;;) {
    lists += 1;
    const limit = (lists % 100) + 1;
    const names = async () =>
      (await call(server, { url: `/api/getallUser?limit=${limit}` })).data.map(
        (one: { name: string }) => one.name,
      );
    const from = performance.now();
    const before = await names();
    // Changes the database directly, like another process.
    await sql`update people set name = ${`Called ${lists}`}`.execute(server.db);
    await act();
    const after = await names();
    if (performance.now() - from < soon) return after[0] !== before[0];
  }
}

describe('a request that changes nothing evicts no cache entry:', () => {
  it('deleting what is already deleted', async () => {
    const reel = await publishedReel(server.db, asha.id, new Date(), 'Asia/Kolkata');
    const photo = async (path: string) => {
      const fileName = await uploadedPhoto(server.db, asha.id, new Date());
      return (await ask('POST', path, { fileName })).data._id;
    };
    const deletions = [
      `/api/reel/deleteReel/${reel}`,
      `/api/post/deletePost/${await photo('/api/post/add')}`,
      `/api/story/deleteStory/${await photo('/api/story/add')}`,
    ];
    for (const url of deletions) {
      await ask('DELETE', url);
      expect(await evicts(() => ask('DELETE', url)), url).toBe(false);
    }
    expect(await evicts(() => ask('DELETE', '/api/profile/photo'))).toBe(false);
  });

  it('publishing what is already published', async () => {
    for (const path of ['/api/post/add', '/api/story/add']) {
      const fileName = await uploadedPhoto(server.db, asha.id, new Date());
      await ask('POST', path, { fileName });
      expect(await evicts(() => ask('POST', path, { fileName })), path).toBe(false);
    }
  });

  it('saving an unchanged name', async () => {
    const same = { username: asha.username };
    expect(await evicts(() => ask('POST', '/api/profile/edit', same))).toBe(false);
  });

  it('like, follow and block', async () => {
    const reel = await publishedReel(server.db, operator.id, new Date(), 'Asia/Kolkata');
    for (const url of [`/api/reel/like/${reel}`, `/api/follow/${operator.id}`, `/api/block/${operator.id}`])
      for (const _ of [1, 2]) expect(await evicts(() => ask('POST', url)), url).toBe(false);
  });

  it('repeating a take-down, a suspension, or the end of either', async () => {
    const target = `reel:${await publishedReel(server.db, asha.id, new Date(), 'Asia/Kolkata')}`;
    const acts = [
      () =>
        ask(
          'POST',
          '/api/operator/reports/take-down',
          { target, what: 'copy', rule: 'spam', reason: 'Spam' },
          operator,
        ),
      () => ask('POST', '/api/operator/reports/restore', { target }, operator),
      () =>
        ask(
          'POST',
          `/api/operator/people/suspend/${asha.id}`,
          { rule: 'spam', days: 7, reason: 'Spam' },
          operator,
        ),
      () => ask('POST', `/api/operator/people/restore/${asha.id}`, {}, operator),
    ];
    for (const [place, act] of acts.entries()) {
      await act();
      // The poll for withheld files notices the act within 0.7 s, and evicts once.
      expect((await evicts(act)) && (await evicts(act)), `${place}`).toBe(false);
    }
  });
});

describe('a change of lists is visible at once:', () => {
  it('a new name, a publication and its deletion', async () => {
    let names = 0;
    const rename = () => {
      names += 1;
      return ask('POST', '/api/profile/edit', { username: `${asha.username}n${names}` });
    };
    expect(await evicts(rename)).toBe(true);
    const fileName = async () => await uploadedPhoto(server.db, asha.id, new Date());
    expect(await evicts(async () => ask('POST', '/api/post/add', { fileName: await fileName() }))).toBe(true);
    const publishAndDelete = async () => {
      const { data } = await ask('POST', '/api/story/add', { fileName: await fileName() });
      await ask('DELETE', `/api/story/deleteStory/${data._id}`);
    };
    expect(await evicts(publishAndDelete)).toBe(true);
  });
});
