import { appendFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptySite } from '#testing/browser/site.ts';
import { takenOver, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { howMany, someOf } from '#testing/share.ts';

const site = emptySite({ UPLOAD_CHUNK_MB: '1' });
let person: Client;

beforeAll(async () => {
  person = await signUpAt(site.origin, 'roamer');
});

/** How long a page is frozen; `FROZEN_SECONDS=180` for three minutes. */
const frozenMs = howMany('FROZEN_SECONDS', { share: 1, whole: 5 }) * 1000;

const megabyte = 1024 * 1024;
/** The bytes that the browser sends in one request. */
const piece = megabyte;

/** A video of three chunks with unique bytes: a short clip and a free box, which players ignore. */
let videos = 0;
async function video(megabytes = 2.5): Promise<string> {
  videos += 1;
  const path = join(site.data, `long-${videos}.mp4`);
  await makeClip(path, { seconds: 1, source: `testsrc2=size=180x320:rate=25,hue=h=${videos * 40}` });
  const free = Buffer.alloc(megabytes * megabyte);
  free.writeUInt32BE(free.length, 0);
  free.write('free', 4);
  await appendFile(path, free);
  return path;
}

/** From here on the open page does not compress. */
const sendAllBytes = (page: Page) => page.evaluate(() => void Reflect.deleteProperty(window, 'VideoEncoder'));

/** The page of a person who uploads; records the offset of each chunk that is sent. */
async function open(path = '/ReelPost') {
  const { page, leave } = await site.open({ person });
  await visit(page, path);
  await sendAllBytes(page);
  const offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  return { page, leave, offsets };
}

const chooser = (page: Page) => page.locator('input[type=file]').first();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Holds back the first request with the second chunk; all others pass. */
async function holdSecondPiece(page: Page): Promise<{ reached: Promise<void> }> {
  const reached = Promise.withResolvers<void>();
  let held = false;
  await page.route('**/api/uploads/*', async (route) => {
    const request = route.request();
    const isSecond = request.method() === 'PATCH' && request.headers()['upload-offset'] === String(piece);
    if (held || !isSecond) return await route.continue();
    held = true;
    reached.resolve();
  });
  return { reached: reached.promise };
}
const isTaken = (page: Page, caption: string) =>
  page
    .getByRole('listitem')
    .filter({ hasText: caption })
    .getByText(/^(Getting your reel ready|Published)/)
    .waitFor();
const inbox = () => readdir(join(site.data, 'inbox'));

async function publish(page: Page, path: string, caption: string) {
  await chooser(page).setInputFiles(path);
  await page.getByAltText(/^Cover/).waitFor();
  await page.getByLabel('Caption').fill(caption);
  await button(page, 'Publish').click();
}

describe('uploading a reel', () => {
  it('resumes automatically after a lost connection and sends only the rest', async () => {
    const { page, leave, offsets } = await open();
    const { reached } = await holdSecondPiece(page);
    await publish(page, await video(), 'Through the tunnel');
    await reached;
    await page.context().setOffline(true);
    await page.getByText('Waiting for the connection…').waitFor();
    await page.context().setOffline(false);
    await isTaken(page, 'Through the tunnel');
    // The thumbnail and the first chunk; the second, held and repeated; the last.
    expect(offsets).toEqual([0, 0, piece, piece, 2 * piece]);
    await leave();
  });

  it('continues where it stopped after a pause [long]', async () => {
    const { page, leave, offsets } = await open();
    const { reached } = await holdSecondPiece(page);
    await publish(page, await video(), 'After a break');
    await reached;
    await button(page, 'Pause').click();
    await page.getByText('Paused. It will continue where it stopped.').waitFor();
    const before = offsets.length;
    await button(page, 'Resume').click();
    await isTaken(page, 'After a break');
    expect(offsets.slice(before)).toEqual([piece, 2 * piece]);
    await leave();
  });

  it('resumes after a reload when the same file is chosen [long]', async () => {
    const { page, leave, offsets } = await open();
    const path = await video();
    const { reached } = await holdSecondPiece(page);
    await publish(page, path, 'Picked up again');
    await reached;
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await takenOver(page);
    await sendAllBytes(page);
    offsets.length = 0;
    await publish(page, path, 'Picked up again');
    await isTaken(page, 'Picked up again');
    // The thumbnail, and the rest of the video.
    expect(offsets.toSorted((one, other) => one - other)).toEqual([0, piece, 2 * piece]);
    await leave();
  });

  it('shows the progress of the upload and of the processing, and then that it is published [long]', async () => {
    const { page, leave } = await open();
    await page.route('**/api/reel/getReel/*', async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({
        json: { ...answer, data: { ...answer.data, state: 'processing', progress: 42 } },
      });
    });
    await publish(page, await video(1), 'Almost half');
    const card = page.getByRole('listitem').filter({ hasText: 'Almost half' });
    await expect.poll(() => card.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('42');
    await page.unroute('**/api/reel/getReel/*');
    await card.getByText('Published. Everyone can see it now.').waitFor();
    expect(await card.getByRole('progressbar').count()).toBe(0);
    await leave();
  });

  it('shows how much is sent, its speed and remaining time [long]', async () => {
    const { page, leave } = await open();
    const network = await page.context().newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: megabyte,
    });
    // Forty seconds of data at this speed, so that it still runs when the test reads it; then it is cancelled.
    await publish(page, await video(40), 'At one megabyte a second');
    const figures = page.getByText(/^[\d.]+ of 40(\.\d)? MB · [\d.]+ MB\/s, \d+ seconds? left$/);
    await figures.waitFor();
    const bar = page.getByRole('progressbar', { name: 'Upload' });
    const share = async () => Number(await bar.getAttribute('aria-valuenow'));
    const before = await share();
    await expect.poll(share).toBeGreaterThan(before);
    await button(page, 'Cancel').click();
    await button(page, 'Publish').waitFor();
    await leave();
  });

  it('resumes after the device slept, with the fields unchanged [long]', async () => {
    const { page, leave, offsets } = await open();
    await page.clock.install();
    await visit(page, '/ReelPost');
    await sendAllBytes(page);
    const { reached } = await holdSecondPiece(page);
    await publish(page, await video(), 'After a nap');
    await reached;
    // The lid is closed and opened an hour later; the browser does not learn that its connection is lost.
    await page.clock.fastForward(60 * 60 * 1000);
    await isTaken(page, 'After a nap');
    expect(offsets).toEqual([0, 0, piece, piece, 2 * piece]);
    await leave();
  });

  it('resumes after the page was frozen in the middle, with the fields unchanged [long]', {
    timeout: frozenMs + 240_000,
  }, async () => {
    const { page, leave, offsets } = await open();
    const { reached } = await holdSecondPiece(page);
    await publish(page, await video(), 'After the deep sleep');
    await reached;
    const client = await page.context().newCDPSession(page);
    await client.send('Page.setWebLifecycleState', { state: 'frozen' });
    // A frozen page learns nothing of its connection.
    await page.context().setOffline(true);
    await page.waitForTimeout(frozenMs);
    await page.context().setOffline(false);
    await client.send('Page.setWebLifecycleState', { state: 'active' });
    await isTaken(page, 'After the deep sleep');
    expect(offsets).toEqual([0, 0, piece, piece, 2 * piece]);
    await leave();
  });

  it('keeps the screen on while it sends, and requests that again when the page is visible again [long]', async () => {
    const { page, leave } = await open();
    await page.addInitScript(() => {
      const locks: { type: string; released: boolean }[] = [];
      const request = async (type: string) => {
        const lock = { type, released: false };
        locks.push(lock);
        return { release: async () => void Object.assign(lock, { released: true }) };
      };
      Object.assign(window, { locks });
      Object.defineProperty(navigator, 'wakeLock', { value: { request } });
    });
    await visit(page, '/ReelPost');
    await sendAllBytes(page);
    const locks = () =>
      page.evaluate(() => (window as unknown as { locks: { type: string; released: boolean }[] }).locks);
    const [held, free] = [
      { type: 'screen', released: false },
      { type: 'screen', released: true },
    ];
    const { reached } = await holdSecondPiece(page);
    await publish(page, await video(), 'Wide awake');
    await reached;
    expect(await locks()).toEqual([held]);
    await button(page, 'Pause').click();
    await expect.poll(locks).toEqual([free]);
    await button(page, 'Resume').click();
    await expect.poll(locks).toEqual([free, held]);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await isTaken(page, 'Wide awake');
    await expect.poll(async () => (await locks()).at(-1)).toEqual(free);
    await leave();
  });

  it('is deleted on the server when it is cancelled [long]', async () => {
    const { page, leave } = await open();
    const { reached } = await holdSecondPiece(page);
    // Reels of other tests may still be transcoding.
    const others = await inbox();
    await publish(page, await video(), 'Not this one');
    await reached;
    const added = (await inbox()).filter((name) => !others.includes(name));
    expect(added).toHaveLength(1);
    await button(page, 'Cancel').click();
    await button(page, 'Publish').waitFor();
    await expect.poll(async () => (await inbox()).filter((name) => added.includes(name))).toEqual([]);
    await leave();
  });
});

describe('a file that changes after it was chosen [long]', () => {
  const words = 'Choose the file again. It was changed or moved.';

  it.each(
    someOf<[string, (path: string) => Promise<void>]>(
      [
        ['changed', (path) => appendFile(path, 'more')],
        ['deleted', (path) => rm(path)],
      ],
      1,
    ),
  )('before it is sent: %s, must be chosen again, and nothing else is lost', async (_, change) => {
    const { page, leave } = await open();
    const path = await video(0.5);
    await chooser(page).setInputFiles(path);
    await page.getByAltText(/^Cover/).waitFor();
    await page.getByLabel('Caption').fill('Edited meanwhile');
    await page.getByRole('button', { name: 'Cricket', exact: true }).click();
    await change(path);
    await button(page, 'Publish').click();
    await page.getByRole('alert').getByText(words).waitFor();
    expect(await page.getByLabel('Caption').inputValue()).toBe('Edited meanwhile');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Select a video');
    await chooser(page).setInputFiles(await video(0.5));
    await button(page, 'Publish').click();
    await isTaken(page, 'Edited meanwhile');
    await leave();
  });

  it('while it is sent: must be chosen again, instead of waiting for a connection', async () => {
    const { page, leave } = await open();
    const path = await video();
    const { reached } = await holdSecondPiece(page);
    await publish(page, path, 'Edited on the way');
    await reached;
    await appendFile(path, 'more');
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.getByRole('alert').getByText(words).waitFor();
    expect(await page.getByLabel('Caption').inputValue()).toBe('Edited on the way');
    await leave();
  });

  it('must be chosen again if it is a photo', async () => {
    const { page, leave } = await open('/PhotoPost');
    const path = join(site.data, 'changing.jpg');
    const create = { width: 300, height: 400, channels: 3 as const, background: '#7f2a62' };
    await sharp({ create }).jpeg().toFile(path);
    await chooser(page).setInputFiles(path);
    await page.getByRole('img', { name: 'Preview of changing.jpg' }).waitFor();
    await page.getByLabel('Caption').fill('In another light');
    await appendFile(path, 'more');
    await button(page, 'Publish').click();
    await page.getByRole('alert').getByText(words).waitFor();
    expect(await page.getByLabel('Caption').inputValue()).toBe('In another light');
    await leave();
  });
});

describe('uploading a photo [long]', () => {
  it('is uploaded by a retry after a server error', async () => {
    const { page, leave } = await open('/PhotoPost');
    const path = join(site.data, 'retry.jpg');
    const create = { width: 300, height: 400, channels: 3 as const, background: '#2a7f62' };
    await sharp({ create }).jpeg().toFile(path);
    const sentence = 'You have 10 unfinished uploads.';
    const refusal = { status: 'error', code: 'too_many_uploads', error: sentence, message: sentence };
    await page.route('**/api/uploads', (route) => route.fulfill({ status: 429, json: refusal }), {
      times: 1,
    });
    await chooser(page).setInputFiles(path);
    await page.getByLabel('Caption').fill('The second time');
    await button(page, 'Publish').click();
    await page.getByText('Upload failed! You have 10 unfinished uploads.').waitFor();
    await button(page, 'Try again').click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'The second time' })
      .getByText('Published. Everyone can see it now.')
      .waitFor();
    await leave();
  });
});
