import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import { signUpSomebody, startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { loadSite } from '../pages/page-renderer.ts';

let server: TestServer;
let origin: string;
let seenByFastify = 0;
beforeAll(async () => {
  server = await startTestServer({}, { site: await loadSite() });
  server.app.server.on('request', ({ originalUrl }: IncomingMessage & { originalUrl?: string }) => {
    // Fastify keeps the address that it was asked for.
    if (originalUrl) seenByFastify += 1;
  });
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

interface Asked {
  statusCode: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  body: string;
}

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Asked> {
  const asking = request(`${origin}${path}`, { method, headers });
  asking.end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const bytes = await buffer(response);
  return { statusCode: response.statusCode ?? 0, headers: response.headers, bytes, body: bytes.toString() };
}

const people = async () => JSON.parse((await ask('/api/getallUser?limit=100')).body).data;
const usernames = async () => (await people()).map((one: { username: string }) => one.username);
const given = async () =>
  (await server.metrics.registry.getMetricsAsJSON()).find(
    ({ name }) => name === 'jhalak_response_cache_hits_total',
  )?.values[0]?.value ?? 0;

/** Changes the database directly, as another process would. */
const renameEverybody = (name: string) => sql`update people set name = ${name}`.execute(server.db);
const names = async () => new Set((await people()).map((one: { name: string }) => one.name));

describe('a cacheable response (decision 0020)', () => {
  it('is served again with the same bytes and headers and a new request id', async () => {
    for (const url of ['/api/reel/getallReels?limit=24', '/api/config', '/', '/AllUsers']) {
      const headers = { 'accept-encoding': 'br' };
      // The second response is the first one from the cache; all three must be within one second, or are repeated.
      const answers = [await ask(url, headers), await ask(url, headers), await ask(url, headers)];
      const [first, second] = answers.map(({ headers: { date, 'x-request-id': id, ...rest } }) => rest);
      expect(second, url).toEqual(first);
      expect(new Set(answers.map((one) => one.headers['x-request-id'])).size).toBe(3);
      expect(new Set(answers.map((one) => one.bytes.toString('hex'))).size).toBe(1);
    }
  });

  it('increments the hit counter when it is served from the cache', async () => {
    const before = await given();
    await expect
      .poll(async () => {
        await ask('/api/config');
        return await given();
      })
      .toBeGreaterThan(before);
  });

  it('is served for URLs that differ only in unknown query parameters', async () => {
    let turn = 0;
    for (const [path, plain] of [
      ['/api/reel/getallReels', 'limit=5'],
      ['/AllUsers', 'q=asha'],
      ['/', ''],
    ] as const) {
      // Each URL is requested once; only the first in a second is rendered, and the others get its response.
      const isGiven = async () => {
        turn += 1;
        await ask(`${path}?${plain}`);
        const before = await given();
        await ask(`${path}?x=${turn}&${plain}&utm_source=y`);
        return Number(await given()) - Number(before);
      };
      await expect.poll(isGiven).toBe(1);
    }
  });

  it('of an endpoint is shared by all spellings of its query', async () => {
    let turn = 0;
    /** How many of these queries are answered from the cache, after the first one was rendered. */
    const hitsOf = async (...queries: string[]) => {
      turn += 1;
      const askFor = async (query: string) =>
        (await ask(`/api/getallUser?q=spelled${turn}&${query}`)).statusCode;
      await askFor('limit=7');
      const before = Number(await given());
      for (const query of queries) expect(await askFor(query)).toBe(200);
      return Number(await given()) - before;
    };
    await expect.poll(() => hitsOf('limit=07', 'limit=%37&x=1', 'limit=7.0', 'x=1&limit=7')).toBe(4);
    await expect.poll(() => hitsOf('limit=8', '')).toBe(0);
    for (const query of ['limit=7&limit=8', 'limit=7&limit=7', 'limit=none'])
      expect((await ask(`/api/getallUser?${query}`)).statusCode, query).toBe(400);
  });

  it('is at most one second old', async () => {
    await signUpSomebody(server);
    await renameEverybody('Before');
    await expect.poll(names).toEqual(new Set(['Before']));
    await renameEverybody('After');
    await expect.poll(names).toEqual(new Set(['After']));
  });

  it('is served stale to other requests while one request revalidates it', async () => {
    /**
     * The table is locked after the list is cached, so that a request which renders has to wait. Whether one did while the other got a
     * response.
     */
    const onlyOneWaits = async () => {
      await usernames();
      const asked = await server.db.transaction().execute(async (trx) => {
        await sql`lock table people in access exclusive mode`.execute(trx);
        for (;;) {
          const both = [usernames(), usernames()];
          const first = await Promise.race([Promise.all(both), sleep(300)]);
          if (!first) return { both, answered: await Promise.race([...both, sleep(300)]) };
        }
      });
      await Promise.all(asked.both);
      return asked.answered !== undefined;
    };
    // On a machine that stalls for a second the stale response expires.
    await expect.poll(onlyOneWaits).toBe(true);
  });

  it('is rendered again at once after this process changed its content', async () => {
    for (let times = 0; times < 5; times += 1) {
      await usernames();
      const { username } = await signUpSomebody(server);
      expect(await usernames()).toContain(username);
    }
  });

  it('has separate entries per encoding, language, host and method', async () => {
    await signUpSomebody(server);
    const page = (headers: Record<string, string>) => ask('/AllUsers', headers);
    for (const turn of [1, 2]) {
      expect((await page({ 'accept-encoding': 'br' })).headers['content-encoding'], `${turn}`).toBe('br');
      expect((await page({ 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
      expect((await page({})).headers['content-encoding']).toBeUndefined();
      expect((await page({ 'accept-language': 'hi' })).body).toContain('<html lang="hi"');
      expect((await page({ 'accept-language': 'en' })).body).toContain('<html lang="en"');
      expect((await page({ 'accept-language': 'en', cookie: 'a=b; lang=hi' })).body).toContain(
        '<html lang="hi"',
      );
      expect((await page({ host: 'one.example' })).body).toContain('http://one.example/AllUsers');
      expect((await page({ host: 'two.example' })).body).not.toContain('one.example');
      const head = await ask('/AllUsers', {}, 'HEAD');
      expect([head.statusCode, head.body]).toEqual([200, '']);
    }
  });

  it('is served only to requests that are the same in all that matters, however often they come', async () => {
    const plain = { 'accept-encoding': 'br', 'accept-language': 'en', host: 'one.example' };
    /** The third of three requests: one that was rendered or found by its key, one that was remembered, one that was answered by that. */
    const last = async (headers: Record<string, string>, path = '/AllUsers') =>
      [await ask(path, headers), await ask(path, headers), await ask(path, headers)][2] as Asked;
    const { body: bytes } = await last(plain);
    expect((await last({ ...plain, 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
    expect((await last({ ...plain, 'accept-encoding': '' })).headers['content-encoding']).toBeUndefined();
    expect((await last({ ...plain, 'accept-encoding': 'none, identity;q=0' })).statusCode).toBe(406);
    for (const other of [{ 'accept-language': 'hi' }, { host: 'two.example' }, { cookie: 'lang=hi' }])
      expect((await last({ ...plain, ...other })).body, JSON.stringify(other)).not.toBe(bytes);
    expect((await last(plain, '/missing.php')).body).toBe('Not found\n');
    expect((await last({ ...plain, 'sec-fetch-dest': 'document' }, '/missing.php')).body).not.toContain(
      'Not found\n',
    );
    expect((await last(plain, '/missing.php')).body).toBe('Not found\n');
  });

  it('is not served to a request with a token, and ahead of Fastify to none with a body', async () => {
    const { token } = await signUpSomebody(server);
    const list = '/api/reel/getallReels';
    for (let times = 0; times < 3; times += 1) {
      expect((await ask(list)).headers['cache-control']).toContain('public');
      const own = await ask(list, { authorization: `Bearer ${token}` });
      expect(own.headers['cache-control']).toBe('no-store');
      seenByFastify = 0;
      expect((await ask(list, { 'content-length': '0' })).statusCode).toBe(200);
      expect(seenByFastify).toBe(1);
    }
  });

  it('is logged like all others where each request has a line in the log', async () => {
    const log: string[] = [];
    const logging = await startTestServer({}, { log });
    const at = await logging.app.listen({ host: '127.0.0.1', port: 0 });
    for (let times = 0; times < 4; times += 1) await (await fetch(`${at}/api/config`)).bytes();
    await logging.close();
    expect(log.filter((line) => line.includes('"url":"/api/config"'))).toHaveLength(4);
  });

  it('is served ahead of Fastify whatever other cookies a visitor has', async () => {
    await expect
      .poll(async () => {
        for (const cookie of ['a=1', 'a=2']) await ask('/About', { cookie });
        seenByFastify = 0;
        await ask('/About', { cookie: 'a=3' });
        return seenByFastify;
      })
      .toBe(0);
  });

  it('that sets a language cookie is not served to other visitors', async () => {
    const choosing = () => ask('/AllUsers?lang=hi');
    for (const turn of [1, 2]) {
      const { headers } = await choosing();
      expect(headers['set-cookie']?.join(), `${turn}`).toContain('lang=hi');
      expect(headers['cache-control']).toBe('private');
    }
  });

  it('is not cached if it is an error', async () => {
    for (const turn of [1, 2])
      expect((await ask('/api/reel/getallReels?cursor=none')).statusCode, `${turn}`).toBe(400);
  });

  it('exists only for lists and figures that need no token', () => {
    const kept = endpoints.filter((endpoint) => endpoint.cached);
    expect(kept.map(nameOf)).toContain('GET /api/reel/getallReels');
    expect(
      kept.filter((one) => one.method !== 'GET' || !['anyone', 'known'].includes(one.access)).map(nameOf),
    ).toEqual([]);
  });
});
