import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isolated } from '#contract/text-direction.ts';
import { auditMedia } from '#server/features/stored-files/audit.ts';
import { openCards } from '#server/features/stored-files/cards.ts';
import { sweep } from '#server/features/stored-files/sweeper.ts';
import { newKey } from '#server/platform/ids.ts';
import type { Storage } from '#server/platform/storage.ts';
import { publishPicture, publishStatus } from '#testing/fixtures/posts.ts';
import { giveReels } from '#testing/fixtures/reel-copies.ts';
import { publishReel } from '#testing/fixtures/reels.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { signUpOperator } from '#testing/servers/operators.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { someOf } from '#testing/share.ts';
import { loadSite } from './page-renderer.ts';

const origin = 'https://jhalak.example';
let server: TestServer;
let asha: Person;
let operator: Person;
beforeAll(async () => {
  server = await startTestServer({ ORIGIN: origin }, { site: await loadSite() });
  asha = await signUpSomebody(server);
  operator = await signUpOperator(server, 'Ravi');
});
afterAll(() => server.close());

/** The first one of this file is uploaded and encoded; the others are copies of it. */
let first: Promise<string> | undefined;
async function anotherReel(caption = 'A clip'): Promise<string> {
  first ??= publishReel(server, asha);
  const site = { db: server.db, data: server.dataDir, reel: await first };
  const [id = ''] = await giveReels(site, asha.id, [caption]);
  return id;
}

/** The metadata of a page for cards on other sites; of several pictures the last one. */
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
  });
  // Above this some sites show no picture.
  expect(rawPayload.length).toBeLessThan(300_000);
  return address;
}

const rowOf = (id: string) =>
  server.db.selectFrom('reels').select('media_key').where('id', '=', id).executeTakeFirstOrThrow();
const remove = (id: string) =>
  call(server, { method: 'DELETE', url: `/api/reel/deleteReel/${id}`, headers: asha.headers });

const noise = async (width: number, height: number) =>
  await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();

/** Of one colour: without detail a picture is encoded much sooner. */
const plain = async (width: number, height: number) =>
  await sharp({ create: { width, height, channels: 3, background: '#2f9c8f' } })
    .jpeg()
    .toBuffer();

async function postPhoto(photo: Buffer): Promise<{ id: string; card: { url: string } }> {
  const { payload, headers } = await multipart(Buffer.from(photo), 'file', 'photo.jpg', 'image/jpeg');
  const all = { ...headers, ...asha.headers };
  const { fileName } = await call(server, {
    method: 'POST',
    url: '/api/s3Post/uploadPosts',
    payload,
    headers: all,
  });
  const add = { method: 'POST', url: '/api/post/add', headers: asha.headers, payload: { fileName } } as const;
  const { data } = await call(server, add);
  return { id: data._id, card: data.card };
}

describe('a card', () => {
  it('of a general page shows the site’s own picture', async () => {
    for (const path of ['/', '/About', '/AllUsers', `/user/${asha.id}`]) {
      const card = await cardAt(path);
      expect(await expectPicture(card)).toBe(`${origin}/card.jpg`);
    }
    expect(await cardAt('/About')).toMatchObject({ 'twitter:card': 'summary_large_image' });
  });

  it('of somebody’s stories shows the newest one', async () => {
    const teller = await signUpSomebody(server);
    await publishStatus(server.db, server.dataDir, teller.id, 'On the roof', new Date());
    const card = await cardAt(`/story/${teller.id}`);
    expect(await expectPicture(card)).toMatch(/^https:\/\/jhalak\.example\/media\/[0-9a-f]+\/card\.jpg$/);
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
    expect(await expectPicture(card)).toMatch(/^https:\/\/jhalak\.example\/media\/[0-9a-f]+\/card\.jpg$/);
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
    expect(await expectPicture(await cardAt('/ShowPosts'))).toMatch(/\/card\.jpg$/);
  });

  it('of a photo is a JPEG of it, on its own page', async () => {
    const { id, card } = await postPhoto(await noise(900, 600));
    const shown = await cardAt(`/post/${id}`);
    expect(await expectPicture(shown)).toBe(`${origin}${card.url}`);
    expect(shown).toMatchObject({
      'twitter:card': 'summary_large_image',
      'og:url': `${origin}/post/${id}`,
      'og:title': `A photo by ${isolated(asha.username)} on Jhalak`,
    });
  });

  const large = [
    ['a large photo with much detail', noise, 1000, 1400],
    ['a panorama', plain, 3000, 400],
  ] as const;
  it.each(someOf(large, 1))(
    'of %s is a smaller JPEG with its own size',
    async (_what, picture, width, height) => {
      await postPhoto(await picture(width, height));
      const card = await cardAt('/ShowPosts');
      expect(await expectPicture(card)).toMatch(/\/card\.jpg$/);
      expect(Math.max(Number(card['og:image:width']), Number(card['og:image:height']))).toBe(1280);
    },
  );

  it('of one photo that many request at the same time is made once, and is gone with the photo', async () => {
    const { id, card } = await postPhoto(await plain(1300, 800));
    const answers = await Promise.all(Array.from({ length: 12 }, () => server.inject({ url: card.url })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(new Set(answers.map(({ rawPayload }) => rawPayload.toString('base64'))).size).toBe(1);
    expect(answers[0]?.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    await call(server, { method: 'DELETE', url: `/api/post/deletePost/${id}`, headers: asha.headers });
    await expect.poll(async () => (await server.inject({ url: card.url })).statusCode).toBe(404);
  });

  it('of a photo is stored beside it when it is first requested, and deleted with it', async () => {
    const { id, card } = await postPhoto(await plain(700, 500));
    const [, key = ''] = /media\/([0-9a-f]+)\//.exec(card.url) ?? [];
    const folder = join(server.dataDir, 'media', key.slice(0, 2), key);
    expect(await readdir(folder)).not.toContain('card.jpg');
    const first = await server.inject({ url: card.url });
    expect(first.statusCode).toBe(200);
    expect((await readFile(join(folder, 'card.jpg'))).equals(first.rawPayload)).toBe(true);
    const later = { ...server.context, clock: () => new Date(Date.now() + 3 * 60 * 60 * 1000) };
    await sweep(later);
    expect((await auditMedia(later)).differences).toEqual([]);
    // What is stored is sent, and not made again.
    await writeFile(join(folder, 'card.jpg'), 'as it was stored');
    expect((await server.inject({ url: card.url })).body).toBe('as it was stored');
    await call(server, { method: 'DELETE', url: `/api/post/deletePost/${id}`, headers: asha.headers });
    await expect.poll(() => readdir(folder).catch(() => 'deleted')).toBe('deleted');
    expect((await server.inject({ url: card.url })).statusCode).toBe(404);
  });

  it('is made for one network 20 times a minute; stored ones are sent to it all the same, and others may have one made', async () => {
    const from = (remoteAddress: string, url: string) => server.inject({ url, remoteAddress });
    const [stored, unmade] = [await postPhoto(await noise(50, 50)), await postPhoto(await noise(50, 50))];
    expect((await from('127.230.0.9', stored.card.url)).statusCode).toBe(200);
    for (let tries = 0; tries < 20; tries += 1) {
      // Without a row nothing is made in the end, which is faster.
      const key = newKey();
      await server.storage.inWorkspace(async (folder) => {
        await writeFile(join(folder, 'photo.jpg'), 'a photo');
        await server.storage.publish(key, folder);
      });
      expect((await from('127.230.0.1', `/media/${key}/card.jpg`)).statusCode).toBe(404);
      await server.storage.remove(key);
    }
    const refused = await from('127.230.0.1', unmade.card.url);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('127.230.0.1', stored.card.url)).statusCode).toBe(200);
    expect((await from('127.230.0.2', unmade.card.url)).statusCode).toBe(200);
    expect((await from('127.230.0.1', unmade.card.url)).statusCode).toBe(200);
  });

  it('that two networks request is made for one of them, though the wait of the other was refused [long]', async () => {
    const keys: string[] = [];
    for (const caption of ['first', 'second', 'third']) {
      const id = await publishPicture(server.db, server.dataDir, asha.id, caption, new Date());
      const row = server.db.selectFrom('posts').select('media_key').where('id', '=', id);
      keys.push((await row.executeTakeFirstOrThrow()).media_key);
    }
    const [first = '', second = '', third = ''] = keys;
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const storage: Storage = {
      ...server.storage,
      async inWorkspace(make, bytes) {
        started.resolve();
        await released.promise;
        return await server.storage.inWorkspace(make, bytes);
      },
    };
    const cards = openCards({ db: server.db, storage }, { atOnce: 1, waiting: 2, timeout: 60_000 });
    let waiting = 0;
    const countMaking = async () => {
      waiting += 1;
    };
    const flood = (key: string) => cards.find(key, 'card.jpg', { network: ['flood'], countMaking });
    const running = flood(first);
    await started.promise;
    const waits = flood(second);
    await expect.poll(() => waiting).toBe(2);
    const refused = flood(third);
    await expect.poll(() => waiting).toBe(3);
    // The queue is full, so the network with most waiting requests loses its newest one.
    const neighbour = cards.find(third, 'card.jpg', { network: ['neighbour'], countMaking });
    await expect(refused).rejects.toMatchObject({ status: 503 });
    released.resolve();
    expect(await Promise.all([running, waits, neighbour])).toEqual(['card.jpg', 'card.jpg', 'card.jpg']);
  });

  it('is not left behind if its photo is deleted while the card is made', async () => {
    const id = await publishPicture(server.db, server.dataDir, asha.id, 'Soon gone', new Date());
    const row = server.db.selectFrom('posts').select('media_key').where('id', '=', id);
    const { media_key } = await row.executeTakeFirstOrThrow();
    const removed: string[] = [];
    const storage: Storage = {
      ...server.storage,
      async add(key, name, path) {
        await server.db
          .updateTable('stored_files')
          .set({ state: 'removed' })
          .where('key', '=', media_key)
          .execute();
        await server.storage.add(key, name, path);
      },
      async remove(key) {
        removed.push(key);
        await server.storage.remove(key);
      },
    };
    const cards = openCards({ db: server.db, storage });
    const requester = { network: ['127.230.0.3'], countMaking: async () => undefined };
    expect(await cards.find(media_key, 'card.jpg', requester)).toBeUndefined();
    expect(removed).toEqual([media_key]);
  });

  it.each([
    ['a panorama', 3000, 400],
    ['a photo upright', 600, 1300],
    ['a tiny photo', 3, 2],
  ])(
    'of %s comes first in the shape of a preview, with the whole picture, and is gone with it',
    async (_what, width, height) => {
      const { id } = await postPhoto(await plain(width, height));
      const { body } = await server.inject({ url: `/post/${id}` });
      const pictures = [...body.matchAll(/<meta property="og:image" content="([^"]*)"/g)].map(
        ([, url = '']) => url,
      );
      expect(pictures).toHaveLength(2);
      const [wide = ''] = pictures;
      expect(await cardAt(`/post/${id}`)).toMatchObject({ 'twitter:image': wide });
      const url = wide.slice(origin.length);
      const { rawPayload, headers } = await server.inject({ url });
      expect(headers['content-type']).toBe('image/jpeg');
      expect(rawPayload.length).toBeLessThan(300_000);
      expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
      await call(server, { method: 'DELETE', url: `/api/post/deletePost/${id}`, headers: asha.headers });
      await expect.poll(async () => (await server.inject({ url })).statusCode).toBe(404);
    },
  );

  it('of a reel is also there in the shape of a preview, and its player has the shape of the video', async () => {
    const id = await anotherReel();
    const { data } = await call(server, { url: `/api/reel/getReel/${id}` });
    const { rawPayload } = await server.inject({ url: data.card.wideUrl });
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
    const card = await cardAt(`/videoplayer?reel=${id}`);
    expect(card).toMatchObject({ 'twitter:card': 'player', 'twitter:image': `${origin}${data.card.url}` });
    await remove(id);
  });

  it('of an unknown key, or one with a video only, does not exist', async () => {
    expect((await server.inject({ url: `/media/${'ab'.repeat(16)}/card.jpg` })).statusCode).toBe(404);
    expect((await server.inject({ url: '/media/nothing/card.jpg' })).statusCode).toBe(404);
  });

  it('of a reel shows its poster as JPEG from the first moment, and plays it', async () => {
    const id = await anotherReel();
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

  it('of a reel that was stored too large is made smaller, with the same size in pixels', async () => {
    const id = await anotherReel();
    const { media_key } = await rowOf(id);
    const { width, height } = (await call(server, { url: `/api/reel/getReel/${id}` })).data;
    const file = join(server.dataDir, 'media', media_key.slice(0, 2), media_key, 'card.jpg');
    const stored = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 100 })
      .toBuffer();
    await writeFile(file, Buffer.concat([stored, Buffer.alloc(300_000)]));
    await expectPicture(await cardAt(`/videoplayer?reel=${id}`));
    const made = file.replace('card.jpg', 'small-card.jpg');
    await writeFile(made, 'as it was stored');
    const { body } = await server.inject({ url: `/media/${media_key}/card.jpg` });
    expect(body).toBe('as it was stored');
    await remove(id);
  });
  const turning = [
    '\u202Eevil',
    '\u202Devil',
    '\u2066evil',
    '\u2067evil',
    '\u2068evil',
    '\u2069evil',
    'جھلک',
  ];
  it.each(someOf(turning, 2))(
    'of a reel with the caption %j is not turned by it, nor is that of a person with such a name',
    async (turned) => {
      const id = await anotherReel(turned);
      const card = await cardAt(`/videoplayer?reel=${id}`);
      const { body } = await server.inject({ url: `/videoplayer?reel=${id}` });
      const [, title] = /<title>([^<]*)<\/title>/.exec(body) ?? [];
      for (const said of [title, card['og:title'], card['twitter:title']])
        expect(said?.startsWith(`${isolated(turned)} `), JSON.stringify(said)).toBe(true);
      const embedded = await server.inject({ url: `/embed/${id}` });
      expect(embedded.body).toContain(`<title>${isolated(turned)}</title>`);
      expect(embedded.body).toContain(`aria-label="${isolated(turned)}"`);

      const named = await signUpSomebody(server);
      await server.db.updateTable('people').set({ name: turned }).where('id', '=', named.id).execute();
      const { 'og:title': ofPerson, 'og:description': about } = await cardAt(`/user/${named.id}`);
      expect(ofPerson?.startsWith(`${isolated(turned)} (@`)).toBe(true);
      expect(about).toContain(isolated(turned));
    },
  );
});

it('what operators label is named on its page, in the player and in frames, and at once not any more', async () => {
  const id = await anotherReel();
  const photo = await publishPicture(server.db, server.dataDir, asha.id, 'A fight', new Date(), '#a1b2c3');
  const act = (path: string, payload: object) =>
    call(server, {
      method: 'POST',
      url: `/api/operator/reports/${path}`,
      headers: operator.headers,
      payload,
    });
  const pages = [
    [`/videoplayer?reel=${id}`, 'Made or altered by a machine'],
    [`/embed/${id}`, 'Made or altered by a machine'],
    [`/embed/${id}?lang=hi`, 'मशीन से बनाया या बदला गया'],
    [`/post/${photo}`, 'May be disturbing'],
  ] as const;
  const named = async () => {
    const all: boolean[] = [];
    for (const [url, words] of pages) all.push((await server.inject({ url })).body.includes(`>${words}</p>`));
    return all;
  };
  expect(await named()).toEqual([false, false, false, false]);
  await act('label', { target: `reel:${id}`, rule: 'altered', reason: 'A clone' });
  await act('label', { target: `post:${photo}`, rule: 'violence', reason: 'A fight' });
  expect(await named()).toEqual([true, true, true, true]);
  for (const target of [`reel:${id}`, `post:${photo}`]) await act('unlabel', { target });
  expect(await named()).toEqual([false, false, false, false]);
});

describe('the page of a reel for frames on other sites', () => {
  const embed = (id: string, query = '', headers = {}) =>
    server.inject({ url: `/embed/${id}${query}`, headers });
  const statusOf = async (id: string) => (await embed(id)).statusCode;
  const act = (path: string, payload: object) =>
    call(server, { method: 'POST', url: `/api/operator/${path}`, headers: operator.headers, payload });

  it('has the video and its poster, runs no scripts, and is the only page that may be framed', async () => {
    const caption = `</title><script>alert(1)</script> "&' नमस्ते`;
    const id = await anotherReel(caption);
    const captions = await multipart(Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHello'));
    await call(server, {
      method: 'POST',
      url: `/api/reel/captions/${id}/hi`,
      payload: captions.payload,
      headers: { ...captions.headers, ...asha.headers },
    });
    const { statusCode, headers, body } = await embed(id);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers).not.toHaveProperty('x-frame-options');
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; media-src 'self'; img-src 'self'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors *`,
    );
    const { data } = await call(server, { url: `/api/reel/getReel/${id}` });
    expect(body).toContain(`src="${data.videourl}"`);
    expect(body).toContain(`poster="${data.posterurl}"`);
    const [track] = data.captionTracks;
    expect(body).toContain(`<track kind="captions" src="${track.url}" srclang="hi" label="Hindi">`);
    expect(body).toContain(`href="${origin}/videoplayer?reel=${id}"`);
    expect(body).toContain('नमस्ते');
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect(body).not.toContain('<script');
    for (const path of ['/', `/videoplayer?reel=${id}`])
      expect((await server.inject({ url: path })).headers['content-security-policy']).toContain(
        "frame-ancestors 'none'",
      );
    await remove(id);
  });

  it('is the same for everybody and sets no cookie; its language is that of its address', async () => {
    const id = await anotherReel();
    const plain = await embed(id);
    const signedIn = await embed(id, '', { ...asha.headers, cookie: 'lang=hi', 'accept-language': 'hi' });
    expect(signedIn.body).toBe(plain.body);
    for (const { headers } of [plain, signedIn, await embed(id, '?lang=hi')])
      expect(headers).not.toHaveProperty('set-cookie');
    expect(plain.body).toContain('<html lang="en">');
    expect(plain.body).toContain('Watch on Jhalak');
    const { body } = await embed(id, '?lang=hi');
    expect(body).toContain('<html lang="hi">');
    expect(body).toContain('झलक पर देखें');
    expect((await embed(id, '?lang=xx&lang=hi')).body).toBe(plain.body);
    await remove(id);
  });

  it('links the reel and its creator in pages of their own, and counts nothing', async () => {
    const id = await anotherReel();
    const { data } = await call(server, { url: `/api/reel/getReel/${id}` });
    const { body } = await embed(id);
    for (const path of [`/videoplayer?reel=${id}`, `/user/${asha.id}`])
      expect(body).toContain(`<a href="${origin}${path}" target="_blank" rel="noopener">`);
    expect((await server.inject({ url: data.videourl })).statusCode).toBe(200);
    expect((await call(server, { url: `/api/reel/getReel/${id}` })).data).toMatchObject({
      views: data.views,
      shareviews: data.shareviews,
    });
    await remove(id);
  });

  it('is 404 at once when the reel is deleted or its creator suspended, and no cache elsewhere keeps it', async () => {
    const id = await anotherReel();
    expect((await embed(id)).headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    await act(`people/suspend/${asha.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    expect(await statusOf(id)).toBe(404);
    await act(`people/restore/${asha.id}`, {});
    expect(await statusOf(id)).toBe(200);
    asha = await signUpSomebody(server);
    const another = await anotherReel();
    expect(await statusOf(another)).toBe(200);
    await remove(another);
    const gone = await embed(another, '?lang=hi');
    expect(gone.statusCode).toBe(404);
    // A frame shows the sentence, and not the browser's own error.
    expect(gone.headers).not.toHaveProperty('x-frame-options');
    expect(gone.headers['content-security-policy']).toContain('frame-ancestors *');
    expect(gone.body).toContain('यह रील उपलब्ध नहीं है');
    await changeWorks(server.db, (trx) =>
      trx.updateTable('reels').set({ deleted_at: new Date() }).where('id', '=', id).execute(),
    );
    await expect.poll(() => statusOf(id), { timeout: 2000 }).toBe(404);
  });

  it('is found by the address in the pages of a reel and a photo, and in no other page', async () => {
    const id = await anotherReel();
    const { id: photo } = await postPhoto(await noise(60, 60));
    const linkIn = async (url: string) => {
      const { body } = await server.inject({ url });
      const [link = ''] = /<link [^>]*application\/json\+oembed[^>]*>/.exec(body) ?? [];
      return / href="([^"]*)"/.exec(link)?.[1]?.replaceAll('&amp;', '&');
    };
    const framed = await linkIn(`/videoplayer?reel=${id}&lang=hi`);
    const { html } = await call(server, { url: (framed ?? '').slice(origin.length) });
    expect(html).toContain(`src="${origin}/embed/${id}?lang=hi"`);
    const shown = await call(server, { url: ((await linkIn(`/post/${photo}`)) ?? '').slice(origin.length) });
    expect(shown.type).toBe('photo');
    for (const path of ['/', '/ShowPosts', `/user/${asha.id}`]) expect(await linkIn(path)).toBeUndefined();
    await remove(id);
  });

  it('does not exist for an unknown or taken-down reel, and external caches are purged', async () => {
    for (const id of ['nonsense', crypto.randomUUID()]) expect(await statusOf(id)).toBe(404);
    const id = await anotherReel();
    const { media_key } = await rowOf(id);
    expect(await statusOf(id)).toBe(200);
    await act('reports/take-down', { target: `reel:${id}`, what: 'copy', rule: 'spam', reason: 'Not yours' });
    expect(await statusOf(id)).toBe(404);
    await expect
      .poll(async () => (await server.inject({ url: `/media/${media_key}/card.jpg` })).statusCode)
      .toBe(404);
    const purges = await server.db.selectFrom('purges').select(['keys', 'paths']).execute();
    const told = purges.find(({ keys }) => keys.includes(media_key));
    expect(told).toEqual({ keys: [media_key], paths: [`/videoplayer?reel=${id}`, `/embed/${id}`] });
  });
});
