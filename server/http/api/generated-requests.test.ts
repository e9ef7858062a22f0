import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from '#testing/access/fixtures.ts';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import { type Actor, openActors } from '#testing/fuzz/requests/actors.ts';
import { judgeOf } from '#testing/fuzz/requests/answers.ts';
import { type Operation, operationsOf } from '#testing/fuzz/requests/document.ts';
import { requestsOf, written } from '#testing/fuzz/requests/requests.ts';
import { spoiledOf } from '#testing/fuzz/requests/spoiled.ts';
import { hashOf } from '#testing/models/database-dump.ts';
import { startIssuer, type TestIssuer } from '#testing/servers/issuer.ts';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { howMany, seedOr, someOf } from '#testing/share.ts';

/*
 * Requests generated from the served OpenAPI document. REQUESTS sets how many valid and how many invalid ones each endpoint gets; SEED
 * repeats the same ones.
 */
const requests = howMany('REQUESTS', { share: 12, whole: 24 });
const seed = seedOr(20_261_121);

let server: TestServer;
let world: World;
let issuer: TestIssuer;
let operations: Map<string, Operation>;
beforeAll(async () => {
  issuer = await startIssuer();
  server = await startTestServer({
    // Without a worker, only requests change data.
    ROLE: 'web',
    OIDC_ISSUER: issuer.name,
    OIDC_CLIENT_ID: 'jhalak',
    LINK_IMPORT: 'off',
  });
  world = await openWorld(server);
  const document = (await server.inject({ url: '/api/openapi.json' })).json();
  operations = new Map(operationsOf(document).map((one) => [one.name, one]));
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});

/** All data except purges and counted requests. */
const everything = () => hashOf(server.db, { without: ['purges', 'rate_limits'] });

/** Number of requests in one example: the stored data are compared before and after all of them. */
const together = Math.min(requests, 24);
const slowTest = { timeout: 60_000 + requests * 500 };
/** Endpoints that hash a password or start a child process get fewer requests. */
const slow = /sign(up|in)|password|upload[RPS]|profile\/photo/;
const some = <T>(name: string, one: fc.Arbitrary<T>) => {
  const length = slow.test(name) ? Math.min(together, 4) : together;
  return fc.array(one, { minLength: length, maxLength: length });
};
const runs = { seed, numRuns: Math.max(1, Math.round(requests / together)), endOnFailure: true };

const names = endpoints.map((one) => nameOf(one).replace(/:(\w+)/g, '{$1}'));
/** `npm test` takes a share of the calls, since fewer requests of each do not reach its rule. */
describe.each(someOf(names, 20))('%s', (name) => {
  const whose = fc.constantFrom<Actor['name']>('anonymous', 'person', 'operator');
  const opened = async () => {
    const operation = operations.get(name);
    if (!operation) throw new Error(`${name} is not in the document`);
    const actors = await openActors(world, name);
    const files = [world.jpeg, world.clip.subarray(0, 2000), new Uint8Array([0xff, 0xd8, 0xff])];
    const right = whose.chain((actor) =>
      requestsOf(operation, actors[actor].known, files).map((parts) => ({ actor, parts })),
    );
    const send = async (actor: Actor['name'], request: Awaited<ReturnType<typeof written>>) =>
      await server.inject({ ...request, headers: { ...actors[actor].headers, ...request.headers } });
    return { operation, actors, right, send, judge: judgeOf(operation) };
  };

  it('responds to valid requests as documented', slowTest, async () => {
    const { operation, right, send, judge } = await opened();
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(some(name, right), async (all) => {
        for (const { actor, parts } of all) {
          const response = await send(actor, await written(operation, parts));
          expect(judge(response), `${actor} ${JSON.stringify(parts).slice(0, 2000)}`).toBeUndefined();
          reached.add(response.statusCode < 400 ? 'ok' : response.json().code);
        }
      }),
      runs,
    );
    // The rule was reached, and not only access control.
    expect(
      [...reached].some((code) => !['invalid_input', 'missing_fields', 'not_signed_in'].includes(code)),
    ).toBe(true);
  });

  it('refuses invalid requests, and stores nothing of them', slowTest, async () => {
    const { operation, actors, send, judge } = await opened();
    const spoiled = whose.chain((actor) =>
      spoiledOf(operation, requestsOf(operation, actors[actor].known, [world.jpeg])).map((make) => ({
        actor,
        make,
      })),
    );
    await fc.assert(
      fc.asyncProperty(some(name, spoiled), async (all) => {
        const before = await everything();
        for (const { actor, make } of all) {
          const { what, request } = await make();
          const response = await send(actor, request);
          expect(judge(response), `${actor}, ${what}`).toBeUndefined();
          expect(response.statusCode, `${actor}, ${what}: ${response.body}`).toBeGreaterThanOrEqual(400);
        }
        expect(await everything()).toBe(before);
      }),
      runs,
    );
  });
});
