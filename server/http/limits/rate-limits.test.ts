import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crowd } from '#contract/endpoint.ts';
import { dailyLimits } from '#contract/limits.ts';
import { uploadsPath } from '#contract/uploads.ts';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import { behindOurProxy } from '#testing/servers/proxy.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { loadSite } from '../pages/page-renderer.ts';

let server: TestServer;
let behindProxy: TestServer;
beforeAll(async () => {
  [server, behindProxy] = await Promise.all([
    startTestServer({}, { site: await loadSite() }),
    startTestServer(behindOurProxy),
  ]);
});
afterAll(() => Promise.all([server.close(), behindProxy.close()]));

interface Limited {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  access: string;
  perMinute: number;
}

const limitedBy = (which: 'perPerson' | 'perNetwork') =>
  endpoints.flatMap((endpoint): Limited[] => {
    const { method, path, access } = endpoint;
    const perMinute = (endpoint.limit as { perPerson?: number; perNetwork?: number })[which];
    return perMinute ? [{ name: nameOf(endpoint), method, path, access, perMinute }] : [];
  });

/**
 * For each kind of caller and method the endpoint with the lowest limit. All others are counted by the same code with the limit that they
 * document, which a test below compares with the contract.
 */
const oneOfEachKind = (limited: Limited[]) =>
  [...Map.groupBy(limited, ({ access, method }) => `${access} ${method}`).values()].map((kind) =>
    kind.reduce((lowest, next) => (next.perMinute < lowest.perMinute ? next : lowest)),
  );
/** Resumable uploads begin with their own protocol. */
const beginning: Limited = {
  name: `POST ${uploadsPath}`,
  method: 'POST',
  path: uploadsPath,
  access: 'person',
  perMinute: 60,
};
// The limit of six exports an hour is part of its rule. Higher limits would take too long.
const byPerson = limitedBy('perPerson').filter(
  ({ path, perMinute }) => path !== '/api/export' && perMinute <= 120,
);
const nobody = '018f0000-0000-7000-8000-000000000000';
const urlOf = (path: string) => path.replace(/:month/, '2026-01').replace(/:\w+/g, nobody);

/** A client's claims about its address. */
const claims = (address: string): Record<string, string>[] => [
  {},
  { 'x-forwarded-for': address },
  { 'x-forwarded-for': `${address}, 10.0.0.1` },
  { forwarded: `for=${address}` },
  { 'x-real-ip': address },
  { 'x-client-ip': address, 'true-client-ip': address, 'cf-connecting-ip': address },
  { 'x-forwarded-host': `${address}.example`, host: `${address}.example` },
  { 'user-agent': `somebody ${address}`, authorization: `Bearer ${address}` },
];

/** Other spellings of the URL, and other methods. */
const detours: [what: string, of: (url: string) => Partial<InjectOptions>][] = [
  ['in capitals', (url) => ({ url: url.toUpperCase() })],
  ['with one capital', (url) => ({ url: url.replace(/[a-z](?=[^/]*$)/, (letter) => letter.toUpperCase()) })],
  ['with a slash at its end', (url) => ({ url: `${url}/` })],
  ['with two slashes', (url) => ({ url: url.replace('/api/', '/api//') })],
  ['with two slashes at its start', (url) => ({ url: `/${url}` })],
  ['over a folder and back', (url) => ({ url: url.replace('/api/', '/api/x/../') })],
  ['with dots in it', (url) => ({ url: url.replace('/api/', '/api/./') })],
  [
    'with a letter escaped',
    (url) => ({ url: url.replace(/\/api\/(.)/, (_, letter) => `/api/${escapeOf(letter)}`) }),
  ],
  ['with its first letters escaped', (url) => ({ url: url.replace('/api/', '/%61%70%69/') })],
  ['with an escaped slash', (url) => ({ url: url.replace('/api/', '/api%2f') })],
  ['with a query', (url) => ({ url: `${url}?x=${Math.PI}&x=1` })],
  ['with an empty query', (url) => ({ url: `${url}?` })],
  ['with a semicolon', (url) => ({ url: `${url};x=1` })],
  ['with a NUL', (url) => ({ url: `${url}%00` })],
  ['with a fragment', (url) => ({ url: `${url}#x` })],
  ['of another host', (url) => ({ url: `http://other.example${url}` })],
  ['as HEAD', () => ({ method: 'HEAD' })],
  ['as OPTIONS', () => ({ method: 'OPTIONS' })],
  ['by another method in a header', () => ({ headers: { 'x-http-method-override': 'GET' } })],
  ['in another version', () => ({ headers: { 'accept-version': '2.0.0' } })],
];
const escapeOf = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

/** With these, the URL belongs to another endpoint, which only reads. */
const isAnother = (what: string, { method, path }: Limited) =>
  (what === 'as HEAD' &&
    endpoints.some((one) => one.method === 'GET' && method !== 'GET' && one.path === path)) ||
  (what === 'with a slash at its end' &&
    endpoints.some((one) => one.method === method && one.path.startsWith(`${path}/:`))) ||
  (['as OPTIONS', 'with a slash at its end'].includes(what) && path === uploadsPath);

async function refusesDetours(limited: Limited, options: Partial<InjectOptions>) {
  const { method, path } = limited;
  const url = urlOf(path);
  for (const [what, of] of detours) {
    const detour = of(url);
    const headers = { ...options.headers, ...detour.headers };
    const response = await server.inject({ method, url, ...options, ...detour, headers });
    if (response.statusCode === 429 || isAnother(what, limited)) continue;
    // The URL does not belong to the endpoint: 404.
    expect([404, 405], `${what}: ${response.statusCode} ${response.body}`).toContain(response.statusCode);
  }
}

describe.each([...oneOfEachKind(byPerson), beginning])('$name', (limited) => {
  const { method, path, perMinute } = limited;

  it(`allows one person ${perMinute} requests a minute, from any address and with any spelling of the URL`, async () => {
    const [person, neighbour] = [await caller(limited), await caller(limited)];
    // No body: it only matters that the endpoint was reached, and most show that by a refusal.
    const ask = (headers: Person['headers'], remoteAddress: string) =>
      server.inject({ method, url: urlOf(path), headers, remoteAddress });
    for (let tries = 0; tries < perMinute; tries += 1) {
      const response = await ask(person.headers, `127.220.${tries >> 8}.${tries & 255}`);
      expect(response.statusCode, response.body).not.toBe(429);
    }
    const refused = await ask(person.headers, '127.221.0.1');
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await refusesDetours(limited, { headers: person.headers, remoteAddress: '127.221.0.1' });
    expect((await ask(neighbour.headers, '127.221.0.1')).statusCode).not.toBe(429);
  });
});

/** A person who may send this request. A deleted account or a changed password needs a new person for the next one. */
async function caller({ path }: Limited): Promise<Person> {
  const person = await signUpSomebody(server);
  if (path.startsWith('/api/operator/')) await makeOperator(server, person.id);
  return person;
}

const byNetwork = limitedBy('perNetwork').filter(({ perMinute }) => perMinute < crowd);

describe.each(oneOfEachKind(byNetwork))('$name', (limited) => {
  const { method, path, perMinute } = limited;
  const url = urlOf(path);
  const ask = (at: TestServer, options: Partial<InjectOptions>) =>
    at.inject({ method, url, remoteAddress: '127.222.0.1', ...options });

  it(`allows one network ${perMinute} requests a minute, with any claims and any spelling of the URL`, async () => {
    for (let tries = 0; tries < perMinute; tries += 1) {
      const [headers = {}] = claims(`10.1.${tries >> 8}.${tries & 255}`).slice(tries % 8);
      const response = await ask(server, { headers });
      expect(response.statusCode, response.body).not.toBe(429);
    }
    for (const headers of claims('10.2.3.4')) {
      const response = await ask(server, { headers });
      expect(response.statusCode, JSON.stringify(headers)).toBe(429);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    await refusesDetours(limited, { remoteAddress: '127.222.0.1' });
    expect((await ask(server, { remoteAddress: '127.222.0.2' })).statusCode).not.toBe(429);
  });
});

it('behind a trusted proxy a limit uses the address that the proxy adds', async () => {
  const { perMinute } = endpoint('POST /api/contact/contact');
  const from = (claimed: string, address: string) =>
    behindProxy.inject({
      method: 'POST',
      url: '/api/contact/contact',
      remoteAddress: '127.222.0.1',
      headers: { 'x-forwarded-for': `${claimed}${address}` },
    });
  for (let tries = 0; tries < perMinute; tries += 1) {
    const response = await from(`10.1.${tries >> 8}.${tries & 255}, `, '203.0.113.7');
    expect(response.statusCode).not.toBe(429);
  }
  for (const claimed of ['', '203.0.113.8, ', '203.0.113.8,203.0.113.9 , ', 'unknown, ', ', ', '::1, '])
    expect((await from(claimed, '203.0.113.7')).statusCode, claimed).toBe(429);
  expect((await from('203.0.113.7, ', '203.0.113.8')).statusCode).not.toBe(429);
});

it('a /48 of IPv6 addresses is one network', async () => {
  const { perMinute } = endpoint('POST /api/feedback/feed');
  const ask = (remoteAddress: string) =>
    server.inject({ method: 'POST', url: '/api/feedback/feed', remoteAddress });
  const statuses: number[] = [];
  for (let tries = 0; tries < perMinute + 2; tries += 1)
    statuses.push((await ask(`2001:db8:7:${(tries % 9) + 1}::${tries + 1}`)).statusCode);
  expect(statuses.filter((status) => status !== 429)).toHaveLength(perMinute);
  expect((await ask('2001:db8:8:1::1')).statusCode).not.toBe(429);
});

function endpoint(name: string): Limited {
  const found = byNetwork.find((one) => one.name === name);
  if (!found) throw new Error(`${name} has no limit of its own for a network`);
  return found;
}

describe('every endpoint', () => {
  it('for signed-in people counts each person', () => {
    const uncounted = endpoints.filter(
      ({ access, limit }) => access !== 'anyone' && !('perPerson' in limit) && limit.perNetwork >= crowd,
    );
    // After logout the token identifies nobody.
    expect(uncounted.map(nameOf)).toEqual(['POST /api/logout']);
  });

  it('lets 5,000 people behind one address view the site, and use the other endpoints as often as that many need', () => {
    // All 5,000 can log in within nine minutes, sign up within seventeen, and send a message within as many.
    expect(Object.fromEntries(byNetwork.map(({ name, perMinute }) => [name, perMinute]))).toEqual({
      'POST /api/signup': 300,
      'POST /api/password/forgot': 300,
      'POST /api/password/reset': 300,
      'POST /api/signin': 600,
      'POST /api/google-nonce': 600,
      'POST /api/google-loginweb': 600,
      'POST /api/passkeys/begin-login': 600,
      'POST /api/passkeys/login': 600,
      'GET /api/export/:ticket': 600,
      'POST /api/payouts/webhook/razorpayx': 600,
      'GET /api/oembed': 600,
      'POST /api/link/download-video': 300,
      'POST /api/contact/contact': 300,
      'POST /api/feedback/feed': 300,
      'POST /api/report': 300,
      'GET /api/report/:number': 600,
      'GET /api/decision/:id': 600,
      'POST /api/decision/appeal/:id': 60,
    });
  });

  it('that lists public content lets one person request 240 pages a minute, since each may be rendered for them alone', () => {
    const lists = endpoints.filter(
      ({ access, query }) => access === 'known' && query && 'limit' in query.shape,
    );
    expect(lists.length).toBeGreaterThan(8);
    for (const { limit } of lists) expect(limit).toMatchObject({ perPerson: 240 });
  });

  it('documents its rate limit', async () => {
    for (const { method, path, limit } of endpoints) {
      const { headers } = await server.inject({ method, url: urlOf(path) });
      const network = `"network";q=${limit.perNetwork ?? crowd};w=60`;
      const [person, viewer] = [(limit as { perPerson?: number }).perPerson, limit.perViewer];
      const policy = [
        ...(person ? [`"person";q=${person};w=60`] : []),
        ...(viewer ? [`"viewer";q=${viewer};w=60`] : []),
        ...Object.entries(limit.perDay ? dailyLimits[limit.perDay] : {}).map(
          ([of, most]) => `"${of}-day";q=${most};w=86400`,
        ),
        network,
      ].join(', ');
      expect(headers['ratelimit-policy'], `${method} ${path}`).toBe(policy);
    }
  });
});

it('every route of the server has a limit, including pages and files', async () => {
  const routes = server.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, path = '', methods = ''] = /(\/\S*|\*) \(([A-Z, -]+)\)/.exec(line) ?? [];
      return methods ? methods.split(', ').map((method) => ({ method, path })) : [];
    });
  expect(routes.length).toBeGreaterThan(endpoints.length);
  const paths = new Set(routes.map(({ path }) => path));
  for (const known of ['/healthz', '/media/:key/:file', '/robots.txt', '/api/openapi.json', uploadsPath])
    expect(paths).toContain(known);
  const all = [...routes, { method: 'GET', path: '/' }, { method: 'GET', path: '/no-such-page' }];
  // Responses of a test's own server that are no routes, such as upgrades.
  const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
  for (const { method, path } of all.filter((one) => methods.has(one.method))) {
    const { headers, statusCode } = await server.inject({ method: method as 'GET', url: urlOf(path) });
    expect(headers['ratelimit-policy'], `${method} ${path} ${statusCode}`).toMatch(/"network";q=\d+;w=60$/);
  }
});
