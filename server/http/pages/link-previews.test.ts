import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reelJob } from '#server/features/reels/processing.ts';
import { auditMedia } from '#server/features/stored-files/audit.ts';
import { catchUp, makeExtraFiles } from '#server/features/stored-files/extra-files.ts';
import { sweep } from '#server/features/stored-files/sweeper.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { publishReel } from '#testing/fixtures/reels.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { loadSite } from './page-renderer.ts';

const origin = 'https://jhalak.example';
let server: TestServer;
let asha: Person;
let operator: Person;
beforeAll(async () => {
  server = await startTestServer({ ORIGIN: origin }, { site: await loadSite() });
  asha = await signUpSomebody(server);
  operator = await signUpSomebody(server, 'Ravi');
  await makeOperator(server, operator.id);
});
afterAll(() => server.close());

/** The metadata of a page for cards on other sites. */
async function cardAt(url: string): Promise<Record<string, string>> {
  const { body, statusCode } = await server.inject({ url });
  expect(statusCode).toBe(200);
  const metas = body.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"/g);
  return Object.fromEntries([...metas].map(([, name = '', content = '']) => [name, content]));
}

/** Checks that the picture of a card is a JPEG of the stated size. */
async function expectPicture(card: Record<string, string>): Promise<string> {
  const address = card['og:image'] ?? '';
  expect(address.startsWith(`${origin}/`)).toBe(true);
  const { statusCode, headers, rawPayload } = await server.inject({ url: address.slice(origin.length) });
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('image/jpeg');
  const { format, width, height } = await sharp(rawPayload).metadata();
  expect(format).toBe('jpeg');
  expect(card).toMatchObject({
    'og:image:type': 'image/jpeg',
    'og:image:width': String(width),
    'og:image:height': String(height),
    'twitter:image': address,
  });
  // Above this some sites show no picture.
  expect(rawPayload.length).toBeLessThan(300_000);
  return address;
}

const rowOf = (id: string) =>
  server.db
    .selectFrom('reels')
    .select(['media_key', 'extra_key', 'extra_files'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const remove = (id: string) =>
  call(server, { method: 'DELETE', url: `/api/reel/deleteReel/${id}`, headers: asha.headers });

describe('a card', () => {
  it('of a general page shows the site’s own picture', async () => {
    for (const path of ['/', '/About', '/AllUsers', `/user/${asha.id}`]) {
      const card = await cardAt(path);
      expect(await expectPicture(card)).toBe(`${origin}/card.jpg`);
    }
    expect(await cardAt('/About')).toMatchObject({ 'twitter:card': 'summary_large_image' });
  });

  it('of a person shows a small version of their picture', async () => {
    const mona = await signUpSomebody(server, 'Mona');
    const photo = await sharp({ create: { width: 500, height: 700, channels: 3, background: '#b36' } })
      .jpeg()
      .toBuffer();
    const { payload, headers } = await multipart(Buffer.from(photo), 'file', 'me.jpg', 'image/jpeg');
    const url = '/api/profile/photo';
    await call(server, { method: 'POST', url, payload, headers: { ...headers, ...mona.headers } });
    const card = await cardAt(`/user/${mona.id}`);
    expect(await expectPicture(card)).toMatch(/\/photo\.jpg$/);
    expect(card).toMatchObject({
      'twitter:card': 'summary',
      'og:image:width': '500',
      'og:image:height': '700',
    });
    const { data } = await call(server, { url: `/api/getuser/${mona.id}` });
    expect(data.profilePic).toMatch(/\/small\.webp$/);
  });

  it('of the posts page shows the newest photo', async () => {
    await publishPicture(server.db, server.dataDir, asha.id, 'Of the sea', new Date());
    expect(await expectPicture(await cardAt('/ShowPosts'))).toMatch(/\/photo\.jpg$/);
  });

  it('of a reel shows its poster as JPEG from the first moment, and plays it', async () => {
    const id = await publishReel(server, asha);
    const { media_key } = await rowOf(id);
    const card = await cardAt(`/videoplayer?reel=${id}`);
    expect(await expectPicture(card)).toBe(`${origin}/media/${media_key}/card.jpg`);
    const { data } = await call(server, { url: `/api/reel/getReel/${id}` });
    const [width, height] = [data.width, data.height].map(String);
    expect(card).toMatchObject({
      'og:type': 'video.other',
      'og:video': `${origin}${data.videourl}`,
      'og:video:type': 'video/mp4',
      'twitter:card': 'player',
      'twitter:player': `${origin}/embed/${id}`,
      'twitter:player:width': width,
      'twitter:player:height': height,
      'twitter:player:stream': `${origin}${data.videourl}`,
      'twitter:player:stream:content_type': 'video/mp4',
    });
    await remove(id);
  });

  it('of a reel from before card pictures shows the site’s picture until its card is made', async () => {
    const id = await publishReel(server, asha);
    const { media_key } = await rowOf(id);
    const folder = join(server.dataDir, 'media', media_key.slice(0, 2), media_key);
    await rm(join(folder, 'card.jpg'));
    await server.db
      .updateTable('reels')
      .set({ extra_key: null, extra_files: null })
      .where('id', '=', id)
      .execute();
    for (const table of ['uploads', 'stored_files'])
      await sql`update ${sql.table(table)} set files = files - 'card.jpg' where key = ${media_key}`.execute(
        server.db,
      );
    const path = `/videoplayer?reel=${id}`;
    await expect.poll(async () => (await cardAt(path))['og:image']).toBe(`${origin}/card.jpg`);

    const { data: before } = await call(server, { url: `/api/reel/getReel/${id}` });
    expect(before).not.toHaveProperty('card');
    expect(await catchUp(server.context, [reelJob], () => false)).toBeGreaterThan(0);
    const work = { kind: 'reel' as const, id, ownerId: asha.id };
    await makeExtraFiles(server.context, { data: work, signal: new AbortController().signal });
    const { extra_key } = await rowOf(id);
    expect(extra_key).not.toBe(media_key);
    const made = `${origin}/media/${extra_key}/card.jpg`;
    await expect.poll(async () => (await cardAt(path))['og:image']).toBe(made);
    await expectPicture(await cardAt(path));

    const later = new Date(Date.now() + 3 * 60 * 60 * 1000);
    await sweep({ ...server.context, clock: () => later });
    expect((await auditMedia({ ...server.context, clock: () => later })).differences).toEqual([]);
    await expectPicture(await cardAt(path));
    await remove(id);
    expect((await server.inject({ url: made.slice(origin.length) })).statusCode).toBe(404);
  });
});

describe('the page of a reel for frames on other sites', () => {
  it('has the video and its poster, runs no scripts, and is the only page that may be framed', async () => {
    const caption = `</title><script>alert(1)</script> "&' नमस्ते`;
    const id = await publishReel(server, asha, { caption });
    const { statusCode, headers, body } = await server.inject({ url: `/embed/${id}` });
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers).not.toHaveProperty('x-frame-options');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *",
    );
    const { data } = await call(server, { url: `/api/reel/getReel/${id}` });
    expect(body).toContain(`src="${data.videourl}"`);
    expect(body).toContain(`poster="${data.posterurl}"`);
    expect(body).toContain(`href="${origin}/videoplayer?reel=${id}"`);
    expect(body).toContain('नमस्ते');
    expect(body).not.toContain('<script');
    for (const path of ['/', `/videoplayer?reel=${id}`])
      expect((await server.inject({ url: path })).headers['content-security-policy']).toContain(
        "frame-ancestors 'none'",
      );
    await remove(id);
  });

  it('does not exist for an unknown or taken-down reel, and external caches are purged', async () => {
    for (const id of ['nonsense', crypto.randomUUID()])
      expect((await server.inject({ url: `/embed/${id}` })).statusCode).toBe(404);
    const id = await publishReel(server, asha);
    const { media_key } = await rowOf(id);
    const act = (path: string, payload: object) =>
      call(server, { method: 'POST', url: `/api/operator/${path}`, headers: operator.headers, payload });
    await act('reports/take-down', { target: `reel:${id}`, reason: 'Not yours' });
    expect((await server.inject({ url: `/embed/${id}` })).statusCode).toBe(404);
    await expect
      .poll(async () => (await server.inject({ url: `/media/${media_key}/card.jpg` })).statusCode)
      .toBe(404);
    const purges = await server.db.selectFrom('purges').select(['keys', 'paths']).execute();
    const told = purges.find(({ keys }) => keys.includes(media_key));
    expect(told).toEqual({ keys: [media_key], paths: [`/videoplayer?reel=${id}`, `/embed/${id}`] });
  });
});
