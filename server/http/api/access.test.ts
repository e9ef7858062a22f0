import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, calls } from '#testing/access/calls.ts';
import { type Actor, actors, openWorld, type World } from '#testing/access/fixtures.ts';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import { hashOf } from '#testing/models/database-dump.ts';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = await openWorld(server);
});
afterAll(() => server.close());

/**
 * All data of the site, except the last use of sessions, counted password tries, and reels that the queue is
 * processing.
 */
const everything = () =>
  hashOf(server.db, {
    // Purges are queued in the background, independent of the caller.
    without: ['password_guesses', 'purges'],
    settled: true,
  });

async function ask(actor: Actor, asked: Asked, method: string) {
  const token = world.tokens[actor];
  return await server.inject({
    method: method as 'GET',
    url: asked.url,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...asked.headers },
    ...(asked.payload === undefined ? {} : { payload: asked.payload }),
  });
}

it('every endpoint of the contract has an expectation here', () => {
  expect(Object.keys(calls).sort()).toEqual(endpoints.map(nameOf).sort());
});

describe.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  const call = calls[name];
  const expected = (actor: Actor): number => {
    const isSomebody = ['other', 'owner', 'operator'].includes(actor);
    if (call?.expect?.[actor] !== undefined) return call.expect[actor];
    if (endpoint.access === 'anyone' || endpoint.access === 'known') return 200;
    if (!isSomebody) return 401;
    if (endpoint.access === 'operator') return actor === 'operator' ? 200 : 403;
    return call?.own && actor !== 'owner' ? 403 : 200;
  };

  it.each(actors)(
    'asked by %s: who may, what leaks, and that no cache keeps what is private',
    async (actor) => {
      if (!call) throw new Error(`${name} has no expectation`);
      const asked = await call.ask(world, actor);
      const mayNot = expected(actor) >= 400;
      const before = mayNot ? await everything() : undefined;
      const response = await ask(actor, asked, endpoint.method);
      expect(
        `${response.statusCode} ${response.statusCode === expected(actor) ? '' : response.body}`.trim(),
      ).toBe(String(expected(actor)));
      if (mayNot) {
        expect(response.json()).toMatchObject({ status: 'error', code: expect.any(String) });
        expect(await everything(), 'what is refused changes nothing').toBe(before);
      }
      const mayBeCached = endpoint.cached && response.statusCode === 200;
      expect(response.headers['cache-control']).toMatch(mayBeCached ? /^public, / : /\bno-store$/);
      for (const secret of world.secretsFrom(actor)) {
        if (call.showsAddresses && actor === 'operator' && secret.includes('@')) continue;
        expect(response.body).not.toContain(secret);
      }
    },
  );
});

const guarded = endpoints.filter(
  ({ access, body }) => body && (access === 'person' || access === 'operator'),
);
it.each(guarded.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s tells nobody what is wrong with what they sent',
  async (_, { method, path }) => {
    const url = path.replace(/:\w+/g, '018f0000-0000-7000-8000-000000000000');
    const response = await server.inject({ method, url, payload: { nonsense: true } });
    expect(response.statusCode).toBe(401);
  },
);
