import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { dailyLimits } from '#contract/limits.ts';
import { countNow } from '#server/platform/distributed-rate-limit.ts';
import type { Request } from '#server/platform/route.ts';
import { calls } from '#testing/access/calls.ts';
import { openWorld, type World } from '#testing/access/fixtures.ts';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { loadSite } from '../pages/page-renderer.ts';
import { counterFor } from './count-by-day.ts';

type Kind = keyof typeof dailyLimits;
const day = 24 * 3_600_000;

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer({ ORIGIN: 'https://jhalak.example' }, { site: await loadSite() });
  world = await openWorld(server);
});
afterAll(() => server.close());

interface Client {
  person?: Person;
  address: string;
}

/** Adds to the counter of this client and returns it. */
async function add(kind: Kind, { person, address }: Client, requests: number): Promise<number> {
  const caller = person && { id: person.id };
  const counter = counterFor(kind, { caller, address } as unknown as Request<Endpoint>);
  if (!counter) throw new Error(`${kind} has no limit for this client`);
  const counters = { db: server.db, secret: server.keyring.secret('limits') };
  return (await countNow(counters, counter.name, { window: day, requests })).current;
}

let clients = 0;
const newAddress = () => {
  clients += 1;
  return `203.0.113.${clients}`;
};

const limited = endpoints.flatMap((endpoint) => {
  const kind = endpoint.limit.perDay;
  if (!kind) return [];
  const { person, network }: { person?: number; network?: number } = dailyLimits[kind];
  const of = (who: 'person' | 'network', most: number | undefined) =>
    most === undefined ? [] : [{ endpoint, kind, who, most, name: `${nameOf(endpoint)}, of one ${who}` }];
  return [...of('person', person), ...of('network', network)];
});

describe.each(limited)('$name', ({ endpoint, kind, who, most }) => {
  /** The call as `calls` makes it, for something new each time. */
  const send = async ({ person, address }: Client) => {
    const actor = person ? 'owner' : 'nobody';
    const asked = await calls[nameOf(endpoint)]?.ask(person ? { ...world, owner: person } : world, actor);
    return await server.inject({
      method: endpoint.method,
      ...asked,
      remoteAddress: address,
      headers: { ...asked?.headers, ...person?.headers },
    } as InjectOptions);
  };
  const newClient = async (): Promise<Client> => ({
    ...(who === 'person' ? { person: await signUpSomebody(server) } : {}),
    address: newAddress(),
  });

  it(`succeeds ${most} times a day, and then says when to try again; others still get through`, async () => {
    const [client, other] = [await newClient(), await newClient()];
    await add(kind, client, most - 1);
    expect((await send(client)).statusCode).toBe(200);
    const elsewhere = who === 'person' ? { ...client, address: newAddress() } : client;
    const refused = await send(elsewhere);
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
    expect(refused.json()).toMatchObject({
      error:
        who === 'person'
          ? `You can do this ${most} times a day. Please try again in 24 hours.`
          : `Without a login, this can be done ${most} times a day from one network. Please log in, or try again in 24 hours.`,
      params: { what: who === 'person' ? 'day_hours' : 'network_hours', most, hours: 24 },
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    expect((await send(other)).statusCode).toBe(200);
    if (endpoint.access === 'known' && who === 'network') {
      const neighbour = { person: await signUpSomebody(server), address: client.address };
      expect((await send(neighbour)).statusCode).toBe(200);
    }
  });
});

describe('a limit of a day', () => {
  const comment = (person: Person, reel: string, text = 'So it is') =>
    server.inject({
      method: 'POST',
      url: `/api/reel/comment/${reel}`,
      payload: { text, sentAs: crypto.randomUUID() },
      headers: person.headers,
    });

  it('does not count requests that are refused', async () => {
    const person = await signUpSomebody(server);
    const reel = await world.reel();
    expect((await comment(person, crypto.randomUUID())).statusCode).toBe(404);
    expect((await comment(person, reel, '')).statusCode).toBe(400);
    expect(await add('comments', { person, address: '' }, 0)).toBe(0);
    expect((await comment(person, reel)).statusCode).toBe(200);
    expect(await add('comments', { person, address: '' }, 0)).toBe(1);
  });

  it('is exact when requests arrive together', async () => {
    const person = await signUpSomebody(server);
    const reel = await world.reel();
    await add('comments', { person, address: '' }, dailyLimits.comments.person - 2);
    const answers = await Promise.all(Array.from({ length: 6 }, () => comment(person, reel)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
  });

  it('is shared by calls of one kind', async () => {
    const person = await signUpSomebody(server);
    const [reel, post] = [await world.reel(), await world.post()];
    await add('likes', { person, address: '' }, dailyLimits.likes.person - 1);
    const like = (path: string) =>
      server.inject({ method: 'POST', url: `/api/${path}`, headers: person.headers });
    expect((await like(`reel/like/${reel}`)).statusCode).toBe(200);
    expect((await like(`post/like/${post}`)).statusCode).toBe(429);
  });

  it('counts a form that a browser without scripts sends', async () => {
    const address = newAddress();
    const write = () =>
      server.inject({
        method: 'POST',
        url: '/Feedback',
        remoteAddress: address,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://jhalak.example',
        },
        payload: 'text=More+kites',
      });
    await add('messages', { address }, dailyLimits.messages.network);
    const before = await server.db.selectFrom('messages').select('id').execute();
    const { body } = await write();
    expect(body).toContain('Without a login, this can be done 200 times a day from one network.');
    expect(await server.db.selectFrom('messages').select('id').execute()).toHaveLength(before.length);
  });

  it('counts the /48 of an IPv6 address', async () => {
    await add('messages', { address: '2001:db8:9:1::1' }, dailyLimits.messages.network);
    const response = await server.inject({
      method: 'POST',
      url: '/api/feedback/feed',
      remoteAddress: '2001:db8:9:2::1',
      payload: { text: 'More kites' },
    });
    expect(response.statusCode).toBe(429);
  });
});
