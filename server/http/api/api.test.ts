import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendContact } from '#contract/contact.ts';
import { findOlderAppsUntil } from '#server/features/views/older-apps.ts';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import { behindOurProxy } from '#testing/servers/proxy.ts';
import { signUpSomebody, startTestServer, type TestServer } from '#testing/servers/test-server.ts';

const nobody = '018f0000-0000-7000-8000-000000000000';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('every failure has one shape (decisions §2)', () => {
  it.each<[string, Parameters<TestServer['inject']>[0], number, string]>([
    ['an unknown call', { url: '/api/nothing' }, 404, 'not_found'],
    [
      'a body that is not JSON',
      { method: 'POST', url: '/api/signin', payload: '{', headers: { 'content-type': 'application/json' } },
      400,
      'invalid_input',
    ],
    [
      'a body of another type',
      { method: 'POST', url: '/api/signin', payload: 'x', headers: { 'content-type': 'application/xml' } },
      415,
      'invalid_input',
    ],
    ['no body', { method: 'POST', url: '/api/signin' }, 400, 'invalid_input'],
    [
      'a body without end',
      { method: 'POST', url: '/api/signin', payload: { email: 'x'.repeat(300_000), password: 'x' } },
      413,
      'file_too_large',
    ],
    ['an id that is none', { url: '/api/getuser/1%27%20or%201=1' }, 400, 'invalid_input'],
    ['an id without end', { url: `/api/getuser/${'9'.repeat(5000)}` }, 404, 'not_found'],
    ['an address with half an escape', { url: '/api/getuser/%' }, 400, 'invalid_input'],
    ['an address that is no UTF-8', { url: '/api/getuser/%ff?x=%' }, 400, 'invalid_input'],
    [
      'a page of a year that PostgreSQL does not know',
      {
        url: `/api/getallUser?cursor=${Buffer.from(`-271821-04-20T00:00:00.000Z ${nobody} 0`).toString('base64url')}`,
      },
      400,
      'bad_cursor',
    ],
    [
      'a body that poisons its prototype',
      {
        method: 'POST',
        url: '/api/signin',
        payload: '{"__proto__":{"a":1}}',
        headers: { 'content-type': 'application/json' },
      },
      400,
      'invalid_input',
    ],
  ])('%s', async (_what, request, expected, code) => {
    const response = await server.inject(request);
    expect(response.statusCode).toBe(expected);
    const { status, success, error, message, code: said, requestId } = response.json();
    expect({ status, success, said }).toEqual({ status: 'error', success: false, said: code });
    expect(error).toMatch(/^[A-Z].*[.!]?$/);
    expect(message).toBe(error);
    expect(response.headers['x-request-id']).toBe(requestId);
    expect(response.body).not.toMatch(/node_modules|\.ts|select |stack/i);
  });
});

it.each([
  ['what is not found', { url: `/api/reel/getReel/${nobody}` }, 'not_found', { what: 'reel' }],
  [
    'a form whose field is missing',
    { method: 'POST' as const, url: '/api/signin', payload: {} },
    'missing_fields',
    {},
  ],
  ['an id that is none', { url: '/api/reel/getReel/x' }, 'invalid_input', { what: 'id' }],
  ['a call that is none', { url: '/api/nothing' }, 'not_found', { what: 'call' }],
])('%s is refused with the parameters for its translation', async (_what, request, code, params) => {
  const answer = (await server.inject(request)).json();
  expect({ code: answer.code, params: answer.params }).toEqual({ code, params });
});

it.each([
  ['/api/reel/add', 'videoKey'],
  ['/api/reel/add', 'sourceUrl'],
  ['/api/post/add', 'fileName'],
  ['/api/story/add', 'fileName'],
])('%s refuses a character that cannot be stored in %s', async (url, field) => {
  const { headers } = await signUpSomebody(server);
  for (const value of ['\u0000', 'x\ud800']) {
    const response = await server.inject({
      method: 'POST',
      url,
      headers,
      payload: { videoKey: 'a', isMine: true, [field]: value },
    });
    expect(response.json()).toMatchObject({ code: 'invalid_input', field });
  }
});

it('bytes that are not HTTP are refused in the same shape', async () => {
  const other = await startTestServer();
  const { port } = new URL(await other.app.listen({ host: '127.0.0.1', port: 0 }));
  const say = async (words: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(words);
    const answer = (await socket.setEncoding('utf8').toArray()).join('');
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) };
  };
  for (const [words, expected] of [
    ['one two three\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`, 431],
    ['POST /api/signin HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
  ] as const) {
    const { status, head, body } = await say(words);
    expect(status).toBe(expected);
    expect(body).toMatchObject({ status: 'error', success: false, code: 'invalid_input' });
    expect(head).toContain('x-content-type-options: nosniff');
  }
  await other.close();
});

describe('limits', () => {
  const atMost = sendContact.limit.perNetwork;

  it("are counted separately for each endpoint, and a client's claim about its address changes nothing", async () => {
    const write = (forwarded: string) =>
      server.inject({
        method: 'POST',
        url: sendContact.path,
        remoteAddress: '127.200.0.1',
        payload: {},
        headers: { 'x-forwarded-for': forwarded },
      });
    const statuses: number[] = [];
    for (let index = 0; index < atMost + 2; index += 1)
      statuses.push((await write(`10.0.${index >> 8}.${index & 255}`)).statusCode);
    expect(statuses.filter((status) => status === 400)).toHaveLength(atMost);
    expect(statuses.at(-1)).toBe(429);
    const other = await server.inject({ url: '/api/config', remoteAddress: '127.200.0.1' });
    expect(other.statusCode).toBe(200);
  });

  it('behind a proxy use the address that the proxy adds, not one that the client sent', async () => {
    const behind = await startTestServer(behindOurProxy);
    const write = (forwarded: string) =>
      behind.inject({
        method: 'POST',
        url: sendContact.path,
        remoteAddress: '127.200.0.2',
        payload: {},
        headers: { 'x-forwarded-for': forwarded },
      });
    const statuses: number[] = [];
    for (let index = 0; index < atMost + 2; index += 1)
      statuses.push((await write(`10.0.${index >> 8}.${index & 255}, 203.0.113.7`)).statusCode);
    expect(statuses.at(-1)).toBe(429);
    expect((await write('10.0.0.1, 203.0.113.8')).statusCode).toBe(400);
    await behind.close();
  });
});

describe('the documentation is the contract', () => {
  it('is OpenAPI 3.1 with every endpoint', async () => {
    const document = (await server.inject({ url: '/api/openapi.json' })).json();
    expect(document.openapi).toBe('3.1.0');
    const calls = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const documented = endpoints.map(nameOf).map((name) => name.replace(/:(\w+)/g, '{$1}'));
    expect(calls.sort()).toEqual(documented.sort());
    const upload = document.paths['/api/s3Reel/uploadReels'].post;
    expect(upload.requestBody.content['multipart/form-data'].schema.properties.file.format).toBe('binary');
    const { responses } = document.paths['/api/export/{ticket}'].get;
    expect(responses['200'].content).toEqual({
      'application/zip': { schema: { type: 'string', format: 'binary' } },
    });
    expect(Object.keys(responses['4XX'].content)).toEqual(['application/json']);
  });

  it('has a page that works without scripts', async () => {
    const page = await server.inject({ url: '/api/docs' });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('/api/reel/getallReels');
    expect(page.body).not.toContain('<script');
  });

  it('includes limits, categories and rates, so that clients know them before they send anything', async () => {
    const config = (await server.inject({ url: '/api/config' })).json();
    expect(config.categories).toHaveLength(42);
    expect(new Set(config.categories.map((one: { group: string }) => one.group)).size).toBe(5);
    expect(config).toMatchObject({
      limits: {
        video: { maxBytes: 524288000, maxSeconds: 180 },
        categoriesPerReel: 3,
        thumbnail: { width: 300, height: 533, atSecond: 1 },
      },
      rates: {
        coinsPerReel: 5,
        coinsPerPost: 2,
        coinsPerStory: 1,
        viewsPerCoin: 10,
        likesPerCoin: 10,
        coinsPerRupee: 500,
      },
      watching: { seconds: 5, share: 0.9, leaseMinutes: 10, viewsADay: 1000, showingsAMinute: 60 },
      timeZone: 'Asia/Kolkata',
    });
  });

  it('includes until when showings in older apps count by their pace, and null from then on', async () => {
    const until = async () => (await server.inject({ url: '/api/config' })).json().watching.olderAppsUntil;
    const last = await findOlderAppsUntil(server.db);
    expect(await until()).toBe(last?.toISOString());
    const now = new Date();
    try {
      server.now.value = last ?? now;
      await expect.poll(until).toBe(null);
    } finally {
      server.now.value = now;
    }
  });
});

it('liveness and readiness are reported', async () => {
  expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
  expect((await server.inject({ url: '/readyz' })).statusCode).toBe(200);
});
