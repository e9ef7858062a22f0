import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { mayCall } from '#contract/roles.ts';
import { type Asked, calls } from '#testing/access/calls.ts';
import {
  type Actor,
  actors,
  isOperator,
  openWorld,
  roleOfActor,
  type World,
} from '#testing/access/fixtures.ts';
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

/** The expected status of a call. */
function expected(endpoint: Endpoint, actor: Actor): number {
  const call = calls[nameOf(endpoint)];
  const role = roleOfActor[actor];
  const isSomebody = ['other', 'owner'].includes(actor) || role !== undefined;
  if (call?.expect?.[actor] !== undefined) return call.expect[actor];
  if (endpoint.access === 'anyone' || endpoint.access === 'known') return 200;
  if (!isSomebody) return 401;
  if (endpoint.access === 'operator') return !role ? 404 : mayCall(role, endpoint.role) ? 200 : 403;
  return call?.own && actor !== 'owner' ? 403 : 200;
}
/** Operators of each role, for their own calls; for all others a role makes no difference. */
const callersOf = ({ access }: Endpoint) =>
  actors.filter((actor) => access === 'operator' || actor === 'operator' || !isOperator(actor));
const isRefused = (endpoint: Endpoint, actor: Actor) => expected(endpoint, actor) >= 400;

async function ask(endpoint: Endpoint, actor: Actor): Promise<Asked> {
  const call = calls[nameOf(endpoint)];
  if (!call) throw new Error(`${nameOf(endpoint)} has no expectation`);
  return await call.ask(world, actor);
}

/** Sends a request, and checks its status, what it reveals, and that no cache keeps what is private. */
async function respond(endpoint: Endpoint, actor: Actor, request: Asked) {
  const response = await send(actor, request, endpoint.method);
  const { statusCode, body } = response;
  expect(statusCode, `${actor}: ${body}`).toBe(expected(endpoint, actor));
  const isPublic = endpoint.access === 'anyone' || !(['other', 'owner'].includes(actor) || isOperator(actor));
  const mayBeCached = endpoint.cached && isPublic && statusCode === 200;
  expect(response.headers['cache-control'], actor).toMatch(mayBeCached ? /^public, / : /\bno-store$/);
  for (const secret of world.secretsFrom(actor)) {
    if (calls[nameOf(endpoint)]?.showsAddresses && isOperator(actor) && secret.includes('@')) continue;
    expect(body, actor).not.toContain(secret);
  }
  return response;
}

const refusing = endpoints.filter((endpoint) =>
  callersOf(endpoint).some((actor) => isRefused(endpoint, actor)),
);
const named = (some: readonly Endpoint[]) => some.map((endpoint) => [nameOf(endpoint), endpoint] as const);

describe('a call by somebody who may not make it', () => {
  const refused = new Map<Endpoint, [Actor, Asked][]>();
  let before: string;
  // Making what is asked for changes the site. Reading the whole site before and after each call would take most of the time of this file.
  beforeAll(async () => {
    for (const endpoint of refusing) {
      const requests: [Actor, Asked][] = [];
      for (const actor of callersOf(endpoint))
        if (isRefused(endpoint, actor)) requests.push([actor, await ask(endpoint, actor)]);
      refused.set(endpoint, requests);
    }
    before = await everything();
  });

  it.each(named(refusing))('is refused and reveals nothing: %s', async (_, endpoint) => {
    for (const [actor, request] of refused.get(endpoint) ?? [])
      expect((await respond(endpoint, actor, request)).json(), actor).toMatchObject({
        status: 'error',
        code: expect.any(String),
      });
  });

  it('changes nothing', async () => {
    expect(await everything()).toBe(before);
  });
});

it.each(named(endpoints))(
  '%s answers everybody who may call it, and no cache keeps what is private',
  async (_, endpoint) => {
    for (const actor of callersOf(endpoint))
      if (!isRefused(endpoint, actor)) await respond(endpoint, actor, await ask(endpoint, actor));
  },
);

const guarded = endpoints.filter(
  ({ access, body }) => body && (access === 'person' || access === 'operator'),
);
it.each(named(guarded))('%s tells nobody what is wrong with what they sent', async (_, { method, path }) => {
  const url = path.replace(/:\w+/g, '018f0000-0000-7000-8000-000000000000');
  const response = await server.inject({ method, url, payload: { nonsense: true } });
  expect(response.statusCode).toBe(401);
});
