import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

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
    const { status, error, message, code: said, requestId } = response.json();
    expect({ status, said }).toEqual({ status: 'error', said: code });
    expect(error).toMatch(/^[A-Z].*[.!]?$/);
    expect(message).toBe(error);
    expect(response.headers['x-request-id']).toBe(requestId);
    expect(response.body).not.toMatch(/node_modules|\.ts|select |stack/i);
  });
});

describe('limits', () => {
  it('are each on their own call, and a claim about where one comes from changes nothing', async () => {
    const guess = (forwarded: string) =>
      server.inject({
        method: 'POST',
        url: '/api/signin',
        remoteAddress: '127.200.0.1',
        payload: { email: 'a@b.example', password: 'x' },
        headers: { 'x-forwarded-for': forwarded },
      });
    const statuses: number[] = [];
    for (let index = 0; index < 22; index += 1) statuses.push((await guess(`10.0.0.${index}`)).statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    const other = await server.inject({ url: '/api/config', remoteAddress: '127.200.0.1' });
    expect(other.statusCode).toBe(200);
  });
});

describe('the documentation is the contract', () => {
  it('is OpenAPI 3.1 with every call', async () => {
    const document = (await server.inject({ url: '/api/openapi.json' })).json();
    expect(document.openapi).toBe('3.1.0');
    const calls = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(calls.sort()).toEqual([
      'DELETE /api/reel/deleteReel/{id}',
      'GET /api/config',
      'GET /api/count/getCategoryCounts',
      'GET /api/getallUser',
      'GET /api/getuser/{id}',
      'GET /api/notification/getNotifications/{userId}',
      'GET /api/post/getFrienddata/{userId}',
      'GET /api/post/getallPostsall',
      'GET /api/reel/getFrienddata/{userId}',
      'GET /api/reel/getReel/{id}',
      'GET /api/reel/getallReels',
      'GET /api/story/getFriendStorydata/{userId}',
      'GET /api/story/getallStorys',
      'POST /api/contact/contact',
      'POST /api/feedback/feed',
      'POST /api/logout',
      'POST /api/notification/markRead',
      'POST /api/reel/add',
      'POST /api/reel/increaseView/{id}',
      'POST /api/s3Reel/uploadReels',
      'POST /api/signin',
      'POST /api/signup',
      'POST /api/userdata',
    ]);
    const upload = document.paths['/api/s3Reel/uploadReels'].post;
    expect(upload.requestBody.content['multipart/form-data'].schema.properties.file.format).toBe('binary');
  });

  it('has a page that needs no script', async () => {
    const page = await server.inject({ url: '/api/docs' });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('/api/reel/getallReels');
    expect(page.body).not.toContain('<script');
  });

  it('tells limits, categories and rates before anything is sent', async () => {
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
      timeZone: 'Asia/Kolkata',
    });
  });
});

describe('stored media (decisions §7)', () => {
  const key = 'ab'.repeat(16);
  const url = `/media/${key}/video.mp4`;
  beforeAll(async () => {
    const folder = join(server.dataDir, 'media', 'ab', key);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'video.mp4'), 'x'.repeat(1000));
    await writeFile(join(server.dataDir, 'media', 'secret.txt'), 'secret');
  });

  it('is immutable, inert and told by its exact type', async () => {
    const { headers, statusCode } = await server.inject({ url });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
    expect(headers.etag).toBeTruthy();
  });

  it('is served in parts', async () => {
    const part = await server.inject({ url, headers: { range: 'bytes=990-' } });
    expect([part.statusCode, part.body.length, part.headers['content-range']]).toEqual([
      206,
      10,
      'bytes 990-999/1000',
    ]);
    expect((await server.inject({ url, headers: { range: 'bytes=2000-' } })).statusCode).toBe(416);
  });

  it.each([
    `/media/${key}/other.mp4`,
    `/media/${'cd'.repeat(16)}/video.mp4`,
    '/media/secret.txt',
    `/media/${key}/..%2f..%2fsecret.txt`,
    '/media/../postgres.url',
    `/media/${key}/%2e%2e`,
  ])('%s is not there', async (address) => {
    expect((await server.inject({ url: address })).statusCode).toBe(404);
  });
});

it('says whether it is alive and whether it is ready', async () => {
  expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
  expect((await server.inject({ url: '/readyz' })).statusCode).toBe(200);
});
