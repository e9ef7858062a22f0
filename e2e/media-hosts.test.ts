import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#server/platform/database/embedded.ts';
import { openBrowser } from '#testing/browser/browser.ts';
import { visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { type S3Server, startS3Server } from '#testing/servers/s3/server.ts';

/*
 * Pages on one host, files on another. `localhost` is the site; `127.0.0.1` is another host for a browser, also for cookies.
 */
let data: Awaited<ReturnType<typeof dataFolder>>;
let browser: Browser;
let s3: S3Server;
beforeAll(async () => {
  [data, browser, s3] = await Promise.all([dataFolder(), openBrowser(), startS3Server()]);
});
afterAll(async () => {
  await browser?.close();
  await s3?.close();
  await data?.remove();
});

describe.each([
  ['on a disk, by MEDIA_ORIGIN', 'origin'],
  ['in a bucket that /media leads to', 'redirect'],
] as const)('files %s', (_where, kind) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let program: Program;
  let site: string;
  /** The host that serves the files. */
  let files: string;
  let creator: Client;
  let post: { _id: string; imageurl: string };
  let reelId: string;

  beforeAll(async () => {
    const port = String(await freePort());
    database = await freshDatabase();
    site = `http://localhost:${port}`;
    files = kind === 'origin' ? `http://127.0.0.1:${port}` : s3.origin;
    program = await startProgram({
      DATABASE_URL: database.url,
      DATA_DIR: join(data.path, kind),
      PORT: port,
      HOST: '0.0.0.0',
      ORIGIN: site,
      ...(kind === 'origin' ? { MEDIA_ORIGIN: files } : { ...s3.settings, MEDIA_DELIVERY: 'redirect' }),
    });
    creator = await signUpAt(site, 'asha');
    const path = join(data.path, `${kind}.mp4`);
    await makeClip(path, { seconds: 2, source: 'testsrc2=size=270x480:rate=25' });
    reelId = await creator.publish(path, 'A glimpse');
    post = await publishPhoto();
    await addCaptions();
  });
  afterAll(async () => {
    await program?.stop();
    await database?.drop();
  });

  async function publishPhoto() {
    const bytes = await sharp({ create: { width: 640, height: 800, channels: 3, background: '#7664e8' } })
      .jpeg()
      .toBuffer();
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
    const headers = { authorization: `Bearer ${creator.token}` };
    const sent = await fetch(`${site}/api/s3Post/uploadPosts`, { method: 'POST', headers, body: form });
    const { fileName } = await sent.json();
    const { body } = await creator.send('POST', '/api/post/add', { fileName, caption: 'A photo' });
    return (body as unknown as { data: typeof post }).data;
  }

  async function addCaptions() {
    const form = new FormData();
    form.append(
      'file',
      new Blob(['WEBVTT\n\n00:00.000 --> 00:02.000\nHello\n'], { type: 'text/vtt' }),
      'a.vtt',
    );
    const headers = { authorization: `Bearer ${creator.token}` };
    const sent = await fetch(`${site}/api/reel/captions/${reelId}/en`, {
      method: 'POST',
      headers,
      body: form,
    });
    if (!sent.ok) throw new Error(await sent.text());
  }

  /** A visitor with a cookie of the site; records errors, and the headers of requests to the host of the files. */
  async function open() {
    const context = await browser.newContext({ baseURL: site });
    // As in the visitors of other tests: the machine may be busy.
    context.setDefaultTimeout(120_000);
    await context.addCookies([{ name: 'lang', value: 'en', url: site }]);
    const page = await context.newPage();
    const complaints: string[] = [];
    const asked: Promise<{ path: string; cookie: string | undefined }>[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const { origin, pathname: path } = new URL(request.url());
      if (origin === files) asked.push(request.allHeaders().then(({ cookie }) => ({ path, cookie })));
    });
    return { page, complaints, asked, leave: () => context.close() };
  }
  /** For each picture of the page, whether it has loaded. */
  const picturesOf = (page: Page) =>
    page
      .locator('main img')
      .evaluateAll((all) =>
        (all as HTMLImageElement[])
          .filter(({ currentSrc }) => currentSrc.includes('/media/'))
          .map(({ complete, naturalWidth }) => complete && naturalWidth > 0),
      );

  it('are shown on the pages and play, with length and captions; the policy allows only that host, which receives no cookie', async () => {
    const { page, complaints, asked, leave } = await open();
    for (const path of ['/', '/ShowPosts', `/user/${creator.id}`]) {
      await visit(page, path);
      const haveLoaded = async () => [...new Set(await picturesOf(page))];
      await expect.poll(haveLoaded, { message: path }).toEqual([true]);
    }
    await visit(page, `/videoplayer?reel=${reelId}`);
    await expect
      .poll(() =>
        page
          .locator('video')
          .evaluateAll((all) =>
            (all as HTMLVideoElement[]).some(
              ({ currentTime, duration }) => currentTime > 0 && Math.round(duration) === 2,
            ),
          ),
      )
      .toBe(true);
    await page.evaluate(() => {
      for (const { track } of document.querySelectorAll('track')) track.mode = 'hidden';
    });
    await expect
      .poll(() =>
        page.evaluate(() => [...document.querySelectorAll('track')].map(({ track }) => track.cues?.length)),
      )
      .toContain(1);
    const policy = (await fetch(site)).headers.get('content-security-policy') ?? '';
    for (const directive of ['img-src', 'media-src', 'connect-src'])
      expect(policy).toMatch(new RegExp(`${directive} [^;]*${files}(;| |$)`));
    expect(policy).not.toMatch(/script-src[^;]*http/);
    const requests = await Promise.all(asked);
    expect(requests.some(({ path }) => path.includes('/media/'))).toBe(true);
    expect(requests.filter(({ cookie }) => cookie !== undefined)).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('are also served on the site’s own host, where a CDN may fetch them', async () => {
    const path = post.imageurl.replace(/^https?:\/\/[^/]+/, '');
    const answer = await fetch(`${site}${path}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });
});
