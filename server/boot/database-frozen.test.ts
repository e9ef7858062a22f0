import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Asked, calls } from '#testing/access/calls.ts';
import { openWorld, type World } from '#testing/access/fixtures.ts';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import { figure } from '#testing/report-figure.ts';
import { jobsIn } from '#testing/servers/queues.ts';
import { type TcpProxy, tcpProxy } from '#testing/servers/tcp-proxy.ts';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { loadSite } from '../http/pages/page-renderer.ts';
import { inTransaction } from '../platform/database/transaction.ts';

/*
 * The database stops responding: no request waits for it, each gets a Retry-After, and everything works again when it responds. `npm run
 * reliability -- freeze` freezes it for longer and measures response times (docs/reliability.md).
 */
const seconds = Number(process.env.FREEZE_SECONDS ?? 3);
/** Maximum response time in seconds; generous, since the suite runs on busy machines. */
const atMost = process.env.FREEZE_SECONDS ? 2 : 10;

let server: TestServer;
let world: World;
let proxy: TcpProxy;
beforeAll(async () => {
  server = await startTestServer(
    // Mail is on, so that its endpoints need the database; nothing is sent.
    { SMTP_URL: 'smtp://127.0.0.1:9', ORIGIN: 'https://jhalak.example' },
    {
      site: await loadSite(),
      async through(url) {
        proxy = await tcpProxy(url);
        return proxy.url;
      },
    },
  );
  world = await openWorld(server);
});
afterAll(async () => {
  await server.close();
  await proxy.close();
});

const isReady = async () => (await server.inject({ url: '/readyz' })).statusCode === 200;

/** The request of each endpoint, prepared while the database responds. */
async function prepared() {
  const ready: { name: string; method: string; asked: Asked; token: string | undefined }[] = [];
  for (const { method, path, access } of endpoints) {
    const name = nameOf({ method, path } as (typeof endpoints)[number]);
    const asked = await calls[name]?.ask(world, 'owner');
    if (!asked) throw new Error(`${name} has no line in testing/access/calls.ts`);
    ready.push({ name, method, asked, token: world.tokens[access === 'operator' ? 'operator' : 'owner'] });
  }
  return ready;
}

async function answerTo({ name, method, asked, token }: Awaited<ReturnType<typeof prepared>>[number]) {
  const start = performance.now();
  const response = await server.inject({
    method: method as 'GET',
    url: asked.url,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...asked.headers },
    ...(asked.payload === undefined ? {} : { payload: asked.payload }),
  });
  return { name, response, seconds: (performance.now() - start) / 1000 };
}

/** Endpoints that need no data, or refuse these requests without reading any. */
const needNoDatabase = [
  'GET /api/config',
  'POST /api/google-nonce',
  'POST /api/google-loginweb',
  'POST /api/link-google',
  'POST /api/playback',
  // Without a token: there is no session to end.
  'POST /api/logout',
  // A webhook of a payer that this server does not have.
  'POST /api/payouts/webhook/razorpayx',
];

it(
  `for ${seconds} seconds: every call answers 503 and when to try again, pages stay or say so, and it heals by itself`,
  async () => {
    const first = await prepared();
    const second = await prepared();
    const home = await server.inject({ url: '/' });
    expect(home.statusCode).toBe(200);
    // Another URL than the request below, whose response might be cached for a moment.
    const wasBusy = server.inject({ url: '/api/getallUser?limit=7' });
    proxy.freeze();
    const frozen = performance.now();
    const known = await Promise.all(first.map(answerTo));
    // Sent again when the database is known to be unresponsive.
    while (performance.now() - frozen < (seconds * 1000) / 2) await sleep(50);
    const later = await Promise.all(second.map(answerTo));

    for (const { name, response, seconds: took } of [...known, ...later]) {
      expect(took, name).toBeLessThan(atMost);
      if (needNoDatabase.includes(name)) continue;
      expect(`${name} ${response.statusCode}`).toBe(`${name} 503`);
      expect(Number(response.headers['retry-after']), name).toBeGreaterThan(0);
      expect(response.json(), name).toMatchObject({ status: 'error', code: 'unavailable' });
    }
    expect([...known, ...later].filter(({ response }) => response.statusCode === 503).length).toBeGreaterThan(
      100,
    );
    expect([200, 503]).toContain((await wasBusy).statusCode);
    expect(await isReady()).toBe(false);
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);

    // A recently viewed page is still served; other pages show a sentence about the outage.
    expect((await server.inject({ url: '/' })).statusCode).toBe(200);
    const unseen = await server.inject({ url: '/AllUsers?lang=hi' });
    expect(unseen.statusCode).toBe(503);
    expect(Number(unseen.headers['retry-after'])).toBeGreaterThan(0);
    expect(unseen.headers['cache-control'] ?? '').not.toContain('max-age');
    expect(unseen.body).toContain('गड़बड़ हमारी ओर से है।');
    expect((await server.inject({ url: '/About' })).statusCode).toBe(200);

    while (performance.now() - frozen < seconds * 1000) await sleep(50);
    proxy.thaw();
    const thawed = performance.now();
    await expect.poll(isReady, { interval: 20 }).toBe(true);
    figure(`database frozen ${seconds} s`, {
      calls: known.length + later.length,
      'slowest answer, first asked (s)': Math.max(...known.map((one) => one.seconds)),
      'slowest answer, once known (s)': Math.max(...later.map((one) => one.seconds)),
      'ready again after (s)': (performance.now() - thawed) / 1000,
    });
    for (const one of await Promise.all((await prepared()).map(answerTo)))
      expect(`${one.name} ${one.response.statusCode}`).not.toMatch(/ 5\d\d$/);
  },
  120_000 + seconds * 2000,
);

it('a database that fails and recovers is invisible to clients afterwards', async () => {
  proxy.cut();
  await expect.poll(async () => (await server.inject({ url: '/api/getallUser' })).statusCode).toBe(503);
  proxy.thaw();
  await expect.poll(async () => (await server.inject({ url: '/api/getallUser' })).statusCode).toBe(200);
});

it('a waiting job is done when the database is back', async () => {
  const kind = { name: 'removal', retries: 8, seconds: 300 };
  proxy.freeze();
  await sleep(1500);
  proxy.thaw();
  await expect.poll(isReady).toBe(true);
  const sent = Date.now();
  await inTransaction(server.db, (trx) =>
    server.jobs.send(trx, kind, { keys: ['00000000000000000000000000000000'] }),
  );
  const states = async () => (await jobsIn(server.db, kind.name)).map(({ state }) => state);
  await expect.poll(states).toEqual(['completed']);
  figure('a job sent after the thaw', { 'done after (s)': (Date.now() - sent) / 1000 });
});
