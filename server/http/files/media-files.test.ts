import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeOperator } from '#testing/servers/operators.ts';
import { type S3Server, startS3Server } from '#testing/servers/s3/server.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

const key = 'ab'.repeat(16);
const url = `/media/${key}/video.mp4`;
const film = Buffer.alloc(3_000_000, 'a film of some length ');

let s3: S3Server;
let server: TestServer;
const start = async (settings: Record<string, string>) => {
  server = await startTestServer(settings);
  await server.storage.inWorkspace(async (folder) => {
    await writeFile(join(folder, 'video.mp4'), film);
    await writeFile(join(folder, 'photo.jpg'), 'picture');
    await writeFile(join(folder, '1080.webp'), 'picture');
    await server.storage.publish(key, folder);
  });
};
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.close());
afterEach(() => s3.heal());

const inert = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Publishes a photo by the public endpoints; returns the post and the URL of its picture. */
async function publishPhoto(
  person: Person,
): Promise<{ id: string; imageurl: string; card: { url: string } }> {
  const bytes = await sharp({ create: { width: 320, height: 400, channels: 3, background: '#7664e8' } })
    .jpeg()
    .toBuffer();
  const { payload, headers } = await multipart(new Uint8Array(bytes), 'file', 'photo.jpg', 'image/jpeg');
  const { fileName } = await call(server, {
    method: 'POST',
    url: '/api/s3Post/uploadPosts',
    payload,
    headers: { ...headers, ...person.headers },
  });
  const { data } = await call(server, {
    method: 'POST',
    url: '/api/post/add',
    headers: person.headers,
    payload: { fileName, caption: 'A picture' },
  });
  return { id: data._id, imageurl: data.imageurl, card: data.card };
}

async function takeDown(operator: Person, id: string): Promise<void> {
  await makeOperator(server, operator.id);
  await call(server, {
    method: 'POST',
    url: '/api/operator/reports/take-down',
    headers: operator.headers,
    payload: { target: `post:${id}`, what: 'copy', rule: 'spam', reason: 'Somebody else’s picture' },
  });
}

describe.each(['disk', 'proxy'] as const)('stored media (decisions §7; %s)', (kind) => {
  beforeAll(() => start(kind === 'disk' ? {} : { ...s3.settings, S3_TIMEOUT_SECONDS: '1' }));
  afterAll(() => server.close());

  it.each([
    ['video.mp4', 'video/mp4'],
    ['photo.jpg', 'image/jpeg'],
    ['1080.webp', 'image/webp'],
  ])('%s is immutable, inert and has its exact type', async (name, type) => {
    const { headers, statusCode } = await server.inject({ url: `/media/${key}/${name}` });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      ...inert,
    });
    expect(headers.etag).toBeTruthy();
    expect(headers['last-modified']).toBeTruthy();
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('is served completely, and HEAD returns its length', async () => {
    const whole = await server.inject({ url });
    expect(whole.rawPayload.equals(film)).toBe(true);
    const head = await server.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([
      200,
      String(film.length),
      0,
    ]);
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=1000-1999', 1000, 2000],
    ['bytes=2999990-', 2_999_990, 3_000_000],
    ['bytes=-10', 2_999_990, 3_000_000],
  ])('is served in ranges: %s', async (range, from, to) => {
    const part = await server.inject({ url, headers: { range } });
    expect([part.statusCode, part.headers['content-range']]).toEqual([
      206,
      `bytes ${from}-${to - 1}/3000000`,
    ]);
    expect(part.rawPayload.equals(film.subarray(from, to))).toBe(true);
  });

  it('refuses a range beyond its end', async () => {
    expect((await server.inject({ url, headers: { range: 'bytes=3000000-' } })).statusCode).toBe(416);
  });

  it('is not sent again to a client that has cached it', async () => {
    const { headers } = await server.inject({ url });
    const again = await server.inject({ url, headers: { 'if-none-match': String(headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('is sent as a download under a requested name', async () => {
    const { headers } = await server.inject({ url: `${url}?save` });
    expect(headers['content-disposition']).toBe('attachment; filename="jhalak-video.mp4"');
  });

  it.each([
    `/media/${key}/other.mp4`,
    `/media/${'cd'.repeat(16)}/video.mp4`,
    '/media/secret.txt',
    `/media/${key}/..%2f..%2fsecret.txt`,
    '/media/../postgres.url',
    `/media/${key}/%2e%2e`,
  ])('%s is not found', async (address) => {
    await mkdir(join(server.dataDir, 'media'), { recursive: true });
    await writeFile(join(server.dataDir, 'media', 'secret.txt'), 'secret');
    expect((await server.inject({ url: address })).statusCode).toBe(404);
  });

  it('is not served after it is taken down', async () => {
    const asha = await signUpSomebody(server);
    const { id, imageurl } = await publishPhoto(asha);
    expect((await server.inject({ url: imageurl })).statusCode).toBe(200);
    await takeDown(await signUpSomebody(server, 'Ravi'), id);
    await expect.poll(async () => (await server.inject({ url: imageurl })).statusCode).toBe(404);
    expect((await server.inject({ url: imageurl, headers: { range: 'bytes=0-1' } })).statusCode).toBe(404);
  });
});

describe('media in a bucket, proxied', () => {
  let origin: string;
  beforeAll(async () => {
    await start({ ...s3.settings, S3_TIMEOUT_SECONDS: '1' });
    origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  it.each([
    ['is broken', { kind: 'status', status: 500 }],
    ['refuses us', { kind: 'status', status: 403 }],
    ['is down', { kind: 'down' }],
    ['says nothing', { kind: 'silent' }],
  ] as const)(
    'is refused with one sentence where the store %s, and the rest of the site goes on',
    async (_how, fault) => {
      s3.fail(fault);
      const answer = await server.inject({ url });
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '30']);
      expect(answer.json()).toMatchObject({
        code: 'unavailable',
        error: 'We cannot reach our file storage right now. Please try again in a minute.',
      });
      expect((await server.inject({ url: '/api/reel/getallReels' })).statusCode).toBe(200);
      expect((await server.inject({ url: '/readyz' })).statusCode).toBe(200);
    },
  );

  it('whose transfer is interrupted at the store is interrupted for the client, and never looks complete', async () => {
    s3.fail({ kind: 'cut', methods: ['GET'] });
    const answer = await fetch(`${origin}${url}`);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  it('is not read further after the client has disconnected [long]', async () => {
    // More than the buffers in between can hold.
    const long = 'ef'.repeat(16);
    await server.storage.inWorkspace(async (folder) => {
      await writeFile(join(folder, 'video.mp4'), '');
      await truncate(join(folder, 'video.mp4'), 64 * 1024 * 1024);
      await server.storage.publish(long, folder);
    });
    const before = s3.open();
    const answer = await new Promise<{ destroy(): void }>((resolve, reject) =>
      request(`${origin}/media/${long}/video.mp4`, resolve).on('error', reject).end(),
    );
    await expect.poll(() => s3.open()).toBe(before + 1);
    answer.destroy();
    await expect.poll(() => s3.open()).toBe(before);
  });
});

describe('media in a bucket, by redirect', () => {
  beforeAll(() => start({ ...s3.settings, MEDIA_DELIVERY: 'redirect' }));
  afterAll(() => server.close());
  const ask = async (address: string) => {
    const { statusCode, headers } = await server.inject({ url: address });
    return { statusCode, headers, location: String(headers.location) };
  };

  it('is at a URL signed by the store, valid for the longest reel and a minute', async () => {
    server.now.value = new Date('2026-03-01T10:07:10Z');
    const { statusCode, headers, location } = await ask(url);
    expect(statusCode).toBe(302);
    expect(headers).toMatchObject({ ...inert, 'cache-control': 'private, max-age=50' });
    const query = new URL(location).searchParams;
    expect(new URL(location).origin).toBe(s3.origin);
    expect([query.get('X-Amz-Date'), query.get('X-Amz-Expires')]).toEqual(['20260301T100700Z', '240']);
    // Later requests get the same URL, so that browsers find the file in their cache.
    server.now.value = new Date('2026-03-01T10:07:59Z');
    expect((await ask(url)).location).toBe(location);
    server.now.value = new Date('2026-03-01T10:08:00Z');
    expect((await ask(url)).location).not.toBe(location);
    // An expired one is refused.
    expect((await fetch(location)).status).toBe(403);
  });

  it('is served with ranges, its type and as immutable, and not without a signature', async () => {
    server.now.value = new Date();
    const { location } = await ask(url);
    const whole = await fetch(location);
    expect(Buffer.from(await whole.arrayBuffer()).equals(film)).toBe(true);
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    expect(whole.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const part = await fetch(location, { headers: { range: 'bytes=5-9' } });
    expect([part.status, await part.text()]).toEqual([206, film.subarray(5, 10).toString()]);
    expect((await fetch(location.replace(/\?.*/, ''))).status).toBe(403);
    expect((await fetch(location.replace('video.mp4', 'photo.jpg'))).status).toBe(403);
    expect((await fetch(location, { method: 'PUT', body: 'mine' })).status).toBe(403);
    const saved = await fetch((await ask(`${url}?save`)).location);
    expect(saved.headers.get('content-disposition')).toBe('attachment;filename="jhalak-video.mp4"');
  });

  it('is made for link previews without a redirect, since they are kept longer than a signature is valid', async () => {
    server.now.value = new Date();
    const { card } = await publishPhoto(await signUpSomebody(server));
    expect(card.url).toMatch(/^\/media\/[0-9a-f]{32}\/card\.jpg$/);
    const answer = await server.inject({ url: card.url });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/jpeg']);
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({
      format: 'jpeg',
      width: 320,
      height: 400,
    });
    await server.storage.inWorkspace(async (folder) => {
      await writeFile(join(folder, 'card.jpg'), 'a card');
      await server.storage.publish('cd'.repeat(16), folder);
    });
    const stored = await server.inject({ url: `/media/${'cd'.repeat(16)}/card.jpg` });
    expect([stored.statusCode, stored.body]).toEqual([200, 'a card']);
  });

  it('has no redirect after it is taken down', async () => {
    server.now.value = new Date();
    const { id, imageurl, card } = await publishPhoto(await signUpSomebody(server));
    expect((await ask(imageurl)).statusCode).toBe(302);
    await takeDown(await signUpSomebody(server, 'Uma'), id);
    await expect.poll(async () => (await ask(imageurl)).statusCode).toBe(404);
    expect((await ask(card.url)).statusCode).toBe(404);
  });
});
