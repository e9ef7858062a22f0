import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let origin: string;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  server = await startTestServer({ REQUESTS_AT_ONCE: '1' });
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

async function ask(path: string, method = 'GET') {
  const started = performance.now();
  const [answer] = (await once(request(`${origin}${path}`, { method, agent }).end(), 'response')) as [
    IncomingMessage,
  ];
  const body = (await json(answer)) as Record<string, unknown>;
  return { status: answer.statusCode, headers: answer.headers, body, took: performance.now() - started };
}
const turnedAway = async () =>
  (await server.metrics.registry.getMetricsAsJSON()).find(({ name }) => name === 'jhalak_turned_away_total')
    ?.values[0]?.value;

/** One is worked on, for the table is held, and as many wait as can: 20. */
async function whileCrowded<T>(run: () => Promise<T>): Promise<T> {
  let inside: Promise<{ status: number | undefined }>[] = [];
  const found = await server.db.transaction().execute(async (trx) => {
    await sql`lock table people in access exclusive mode`.execute(trx);
    inside = Array.from({ length: 21 }, (_, nth) => ask(`/api/getallUser?limit=${nth + 1}`));
    await expect.poll(turnedAwayFromCrowd, { interval: 5 }).toBe(true);
    return await run();
  });
  await Promise.all(inside);
  return found;
}
/** Asks as nobody does who is let in, and sees whether the framework was reached. */
const turnedAwayFromCrowd = async () => {
  const before = await turnedAway();
  const asking = request(`${origin}/api/config?now=${performance.now()}`, { agent }).end();
  asking.on('error', () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 10));
  asking.destroy();
  return (await turnedAway()) !== before;
};

describe('where as many wait for their turn as can (decision 0017)', () => {
  it('who asks next is turned away in one sentence, told when to come again, and not before a moment has passed', async () => {
    const { status, headers, body, took } = await whileCrowded(() => ask('/api/getallUser?limit=90'));
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

  it('who watches over the server is answered, and whoever sends something is turned away at once', async () => {
    const [health, sent] = await whileCrowded(() =>
      Promise.all([
        ask('/healthz'),
        ask('/api/reel/increaseView/00000000-0000-7000-8000-000000000000', 'POST'),
      ]),
    );
    expect(health.status).toBe(200);
    expect(sent.status).toBe(503);
  });
});
