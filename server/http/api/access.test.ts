import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, calls } from '#testing/access/calls.ts';
import { type Actor, actors, openWorld, type World } from '#testing/access/fixtures.ts';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import { hashOf } from '#testing/models/database-dump.ts';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
  world = await openWorld(server);
});
afterAll(() => server.close());

/** All data of the site, except the last use of sessions, counted requests and password tries. */
const everything = () =>
  hashOf(server.db, {
    // Purges are queued in the background, independent of the caller.
    without: ['password_guesses', 'purges', 'rate_limits'],
  });

async function send(actor: Actor, request: Asked, method: string) {
  const token = world.tokens[actor];
  return await server.inject({
    method: method as 'GET',
    url: request.url,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...request.headers },
    ...(request.payload === undefined ? {} : { payload: request.payload }),
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
    if (endpoint.access === 'operator') return actor === 'operator' ? 200 : 404;
    return call?.own && actor !== 'owner' ? 403 : 200;
  };

  it('who may call it, what it reveals, and that no cache keeps what is private', async () => {
    if (!call) throw new Error(`${name} has no expectation`);
    const respond = async (actor: Actor, request: Asked) => {
      const response = await send(actor, request, endpoint.method);
      const { statusCode, body } = response;
      expect(statusCode, `${actor}: ${body}`).toBe(expected(actor));
      const isPublic = endpoint.access === 'anyone' || !['other', 'owner', 'operator'].includes(actor);
      const mayBeCached = endpoint.cached && isPublic && statusCode === 200;
      expect(response.headers['cache-control'], actor).toMatch(mayBeCached ? /^public, / : /\bno-store$/);
      for (const secret of world.secretsFrom(actor)) {
        if (call.showsAddresses && actor === 'operator' && secret.includes('@')) continue;
        expect(body, actor).not.toContain(secret);
      }
      return response;
    };
    const isRefused = (actor: Actor) => expected(actor) >= 400;
    const refused: [Actor, Asked][] = [];
    for (const actor of actors.filter(isRefused)) refused.push([actor, await call.ask(world, actor)]);
    const before = await everything();
    for (const [actor, request] of refused)
      expect((await respond(actor, request)).json(), actor).toMatchObject({
        status: 'error',
        code: expect.any(String),
      });
    expect(await everything(), 'what is refused changes nothing').toBe(before);
    for (const actor of actors.filter((one) => !isRefused(one)))
      await respond(actor, await call.ask(world, actor));
  });
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
