import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadsPath } from '../../contract/uploads.ts';
import { endpoints, nameOf } from '../../testing/endpoints.ts';
import { behindOurProxy } from '../../testing/proxy.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let behindProxy: TestServer;
beforeAll(async () => {
  [server, behindProxy] = await Promise.all([startTestServer(), startTestServer(behindOurProxy)]);
});
afterAll(() => Promise.all([server.close(), behindProxy.close()]));

/** Every call that the contract limits, and where uploads in pieces begin: it speaks another protocol. */
const limited = [
  ...endpoints.flatMap(({ method, path, limit }) =>
    limit ? [{ name: nameOf({ method, path } as never), method, path, perMinute: limit.perMinute }] : [],
  ),
  { name: `POST ${uploadsPath}`, method: 'POST' as const, path: uploadsPath, perMinute: 60 },
];

/** What a client may claim of where it comes from. */
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

/** Other ways to write an address, and to ask for it. */
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

/** Asked so, another call is at this address: one that only tells something. */
const isAnother = (what: string, path: string) =>
  (what === 'as HEAD' && endpoints.some((one) => one.method === 'GET' && one.path === path && !one.limit)) ||
  (what === 'as OPTIONS' && path === uploadsPath);

describe.each(limited)('$name', ({ method, path, perMinute }) => {
  const url = path.replace(/:month/, '2026-01').replace(/:\w+/g, '018f0000-0000-7000-8000-000000000000');
  // No body: what counts is that the call was reached, and most say so by refusing it.
  const ask = (at: TestServer, options: Partial<InjectOptions>) =>
    at.inject({ method, url, remoteAddress: '127.222.0.1', ...options });

  it(`is answered ${perMinute} times a minute, whatever is claimed and however it is spelled`, async () => {
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
    for (const [what, of] of detours) {
      const response = await ask(server, of(url));
      if (response.statusCode === 429 || isAnother(what, path)) continue;
      // Another address than the call's own: nothing is there.
      expect([404, 405], `${what}: ${response.statusCode} ${response.body}`).toContain(response.statusCode);
      expect(response.headers['x-ratelimit-limit'], what).toBeUndefined();
    }
    expect((await ask(server, { remoteAddress: '127.222.0.2' })).statusCode).not.toBe(429);
  });

  it('behind a proxy of ours goes by what that adds', async () => {
    const from = (claimed: string, address: string) => ({
      headers: { 'x-forwarded-for': `${claimed}${address}` },
    });
    for (let tries = 0; tries < perMinute; tries += 1) {
      const response = await ask(behindProxy, from(`10.1.${tries >> 8}.${tries & 255}, `, '203.0.113.7'));
      expect(response.statusCode).not.toBe(429);
    }
    for (const claimed of ['', '203.0.113.8, ', '203.0.113.8,203.0.113.9 , ', 'unknown, ', ', ', '::1, '])
      expect((await ask(behindProxy, from(claimed, '203.0.113.7'))).statusCode, claimed).toBe(429);
    expect((await ask(behindProxy, from('203.0.113.7, ', '203.0.113.8'))).statusCode).not.toBe(429);
  });
});

it('whoever has a network of IPv6 addresses is one', async () => {
  const ask = (remoteAddress: string) =>
    server.inject({ method: 'POST', url: '/api/contact/contact', remoteAddress });
  const statuses: number[] = [];
  for (let tries = 0; tries < 12; tries += 1)
    statuses.push((await ask(`2001:db8:0:7::${tries + 1}`)).statusCode);
  expect(statuses.filter((status) => status !== 429)).toHaveLength(10);
  expect((await ask('2001:db8:0:8::1')).statusCode).not.toBe(429);
});

it('whatever stores or hashes something for anybody is limited', () => {
  const free = endpoints.filter(
    ({ method, access, limit }) => method !== 'GET' && (access === 'anyone' || access === 'known') && !limit,
  );
  // They read one row by the hash of a token, or end the session it is of.
  expect(free.map(nameOf).sort()).toEqual(['POST /api/logout', 'POST /api/userdata']);
});
