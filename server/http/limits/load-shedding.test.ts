import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { loadSite } from '../pages/page-renderer.ts';
import { pageThreads } from '../pages/page-threads.ts';

let server: TestServer;
let origin: string;
let somebody: Person;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  server = await startTestServer({ MAX_CONCURRENT_REQUESTS: '1' });
  somebody = await signUpSomebody(server);
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

async function ask(path: string, options: RequestOptions = {}) {
  const started = performance.now();
  const [answer] = (await once(request(`${origin}${path}`, { agent, ...options }).end(), 'response')) as [
    IncomingMessage,
  ];
  const body = (await json(answer)) as Record<string, unknown>;
  return { status: answer.statusCode, headers: answer.headers, body, took: performance.now() - started };
}
const shedCount = async () =>
  (await server.metrics.registry.getMetricsAsJSON()).find(({ name }) => name === 'jhalak_requests_shed_total')
    ?.values[0]?.value;

let crowds = 0;

/** Fills the server: one request runs and blocks on a locked table, and the queue is full with 20. */
async function whileOverloaded<T>(
  run: () => Promise<T>,
  answered: (who: 'crowd') => void = () => undefined,
): Promise<T> {
  // Each request needs its own URL, so that none is served from the response cache.
  crowds += 1;
  let inside: Promise<{ status: number | undefined }>[] = [];
  const found = await server.db.transaction().execute(async (trx) => {
    await sql`lock table people in access exclusive mode`.execute(trx);
    inside = Array.from({ length: 21 }, async (_, nth) => {
      const answer = await ask(`/api/getallUser?limit=${nth + 1}&q=crowd${crowds}`);
      answered('crowd');
      return answer;
    });
    await expect.poll(isProbeShed, { interval: 5 }).toBe(true);
    return await run();
  });
  await Promise.all(inside);
  return found;
}
/** Sends a probe and returns whether it was shed: if so, the queue is full. */
const isProbeShed = async () => {
  const before = await shedCount();
  const asking = request(`${origin}/api/config?now=${performance.now()}`, { agent }).end();
  asking.on('error', () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 10));
  asking.destroy();
  return (await shedCount()) !== before;
};

/** Sends a request from another IP address of this machine. */
const elsewhere = (path: string) => ask(path, { agent: false, localAddress: '127.0.5.5' });

describe('when the queue is full (decision 0017)', () => {
  it('the next GET gets a delayed 503 with one sentence and Retry-After', async () => {
    const { status, headers, body, took } = await whileOverloaded(() => ask('/api/getallUser?limit=90'));
    expect(status).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toMatchObject({
      success: false,
      code: 'unavailable',
      error: expect.stringMatching(/^Jhalak is very busy/),
    });
    expect(body.requestId).toBe(headers['x-request-id']);
    expect(took).toBeGreaterThan(900);
  });

  it('health checks are answered, and a POST is rejected at once', async () => {
    const [health, sent] = await whileOverloaded(() =>
      Promise.all([
        ask('/healthz'),
        ask('/api/reel/increaseView/00000000-0000-7000-8000-000000000000', { method: 'POST' }),
      ]),
    );
    expect(health.status).toBe(200);
    expect(sent.status).toBe(503);
  });

  it('a client with another address enters and is served before most of the crowd', async () => {
    const order: string[] = [];
    const { other } = await whileOverloaded(
      async () => ({ other: elsewhere('/api/getallUser?limit=89').finally(() => order.push('other')) }),
      (who) => order.push(who),
    );
    expect((await other).status).toBe(200);
    // One request was running, and one other of the crowd may have been next.
    expect(order.indexOf('other')).toBeLessThan(5);
    expect(order.length).toBeGreaterThan(20);
  });

  it('a forged token does not identify a client, and a token that was valid before does', async () => {
    await ask('/api/notification/register', { method: 'POST', headers: somebody.headers });
    const { madeUp, good } = await whileOverloaded(async () => ({
      madeUp: await ask('/api/getallUser?limit=91', {
        headers: { authorization: `Bearer ${'a'.repeat(43)}` },
      }),
      good: ask('/api/getallUser?limit=92', { headers: somebody.headers }),
    }));
    expect(madeUp.status).toBe(503);
    expect((await good).status).toBe(200);
  });
});

it('a page whose client has disconnected keeps its place until it is rendered, so that disconnecting does not raise the concurrency', async () => {
  const site = await loadSite();
  const going = Promise.withResolvers<void>();
  let inside = 0;
  const crowded = await startTestServer(
    {},
    {
      site: {
        ...site,
        async render(...page) {
          inside += 1;
          await going.promise;
          return await site.render(...page);
        },
      },
    },
  );
  const at = await crowded.app.listen({ host: '127.0.0.1', port: 0 });
  let left = 0;
  crowded.app.server.on('request', (_request, response) => response.once('close', () => (left += 1)));
  const leave = new AbortController();
  const asking = Array.from({ length: 12 }, (_, nth) =>
    fetch(`${at}/AllUsers?q=left${nth}`, { signal: leave.signal }).catch(() => undefined),
  );
  await expect.poll(() => inside).toBeGreaterThan(0);
  leave.abort();
  await Promise.all(asking);
  await expect.poll(() => left).toBeGreaterThan(0);
  // Afterwards all places are free.
  const others = Array.from({ length: 6 }, (_, nth) => fetch(`${at}/AllUsers?q=came${nth}`));
  expect((await fetch(`${at}/api/getallUser`)).status).toBe(200);
  expect(inside).toBeLessThanOrEqual(pageThreads);
  going.resolve();
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  await crowded.close();
});
