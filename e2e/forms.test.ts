import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, type Visitor, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { type Clip, makeClip } from '#testing/fixtures/clips.ts';

const site = sharedSite();
let person: Client;

beforeAll(async () => {
  person = await signUpAt(site.origin, 'forms.nadia');
});

/** A page of a signed-in person, on a phone's screen. */
async function open(path: string): Promise<Visitor> {
  const visitor = await site.open({ person, viewport: { width: 390, height: 844 } });
  await visit(visitor.page, path);
  return visitor;
}

async function clip(name: string, options: Clip): Promise<string> {
  const path = join(site.data, name);
  await makeClip(path, options);
  return path;
}

const chooser = (page: Page) => page.locator('input[type=file]').first();
const publish = (page: Page) => page.getByRole('button', { name: 'Publish' }).click();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
/** How many uploads and publications a page has requested. */
function requestsOf(page: Page) {
  const counts = { uploads: 0, publications: 0 };
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/uploads')) counts.uploads += 1;
    if (request.url().endsWith('/reel/add')) counts.publications += 1;
  });
  return counts;
}

describe('a video that is not accepted [long]', () => {
  it.each([
    ['longer than three minutes', 'long.mp4', { seconds: 190, width: 90, height: 160, fps: 2, audio: false }],
    ['sound alone', 'sound.mp4', { seconds: 2, video: false }],
  ])('%s, is rejected before its first byte is sent', async (what, name, options) => {
    const { page, leave } = await open('/ReelPost');
    const requests = requestsOf(page);
    await chooser(page).setInputFiles(await clip(name, options));
    await page
      .getByText(
        what === 'sound alone' ? 'This file is not a video.' : 'This video is longer than 3 minutes.',
      )
      .waitFor();
    await publish(page);
    await page.getByText('Please select a video first').waitFor();
    // At the foot of the page, pressing the button moves back to where the video is chosen.
    await expect.poll(() => focused(page)).toBe('Select a video');
    expect(requests.uploads).toBe(0);
    await leave();
  });
});

describe('the cover of a video [long]', () => {
  it('is the chosen frame, in the preview, which stays there, and in the published reel', async () => {
    const { page, leave } = await open('/ReelPost');
    // White for the first two seconds, then black.
    const source = "color=white:size=180x320:rate=10,drawbox=color=black:t=fill:enable='gte(t,2)'";
    await chooser(page).setInputFiles(await clip('two-halves.mp4', { seconds: 4, source }));
    const cover = page.getByAltText(/^Cover/);
    const brightness = () =>
      cover.evaluate(async (one: HTMLImageElement) => {
        await one.decode();
        const brush = new OffscreenCanvas(1, 1).getContext('2d');
        brush?.drawImage(one, 0, 0, 1, 1);
        return brush?.getImageData(0, 0, 1, 1).data[0];
      });
    await expect.poll(brightness).toBeGreaterThan(200);
    await page.getByRole('slider', { name: 'Choose the cover' }).fill('3');
    await expect.poll(brightness).toBeLessThan(50);
    const isPaused = () => page.locator('main video').evaluate((video: HTMLVideoElement) => video.paused);
    await expect.poll(isPaused).toBe(true);
    await page.getByLabel('Caption').fill('Ends in the dark');
    await publish(page);
    const card = page.getByRole('listitem').filter({ hasText: 'Ends in the dark' });
    await card.getByText('Published.').waitFor();
    await card.getByText('Counts 5 coins this month.', { exact: true }).waitFor();
    await card.locator('video').evaluate(async (video: HTMLVideoElement) => await video.play());
    const { data } = await (await fetch(`${site.origin}/api/reel/getallReels`)).json();
    const reel = data.find(({ caption }: { caption: string }) => caption === 'Ends in the dark');
    const thumbnail = await fetch(new URL(reel.thumbnillurl, site.origin));
    const { channels } = await sharp(Buffer.from(await thumbnail.arrayBuffer())).stats();
    for (const { mean } of channels.slice(0, 3)) expect(mean).toBeLessThan(50);
    await leave();
  });
});

describe('a video that the browser does not play [long]', () => {
  it('gets a cover of 300 × 533 if its frames can be decoded', async () => {
    const { page, leave } = await open('/ReelPost');
    await chooser(page).setInputFiles(await clip('camera.ts', { seconds: 2, container: 'mpegts' }));
    await page.getByText("Your browser can't play this video").waitFor();
    const cover = page.getByAltText(/^Cover/);
    await expect
      .poll(() => cover.evaluate((one: HTMLImageElement) => [one.naturalWidth, one.naturalHeight]))
      .toEqual([300, 533]);
    await leave();
  });

  it('is published even if its container and type are unknown', async () => {
    const { page, leave } = await open('/ReelPost');
    const path = await clip('camcorder.mpg', {
      seconds: 1,
      container: 'vob',
      codec: 'mpeg2video',
      audioCodec: 'ac3',
    });
    const buffer = await readFile(path);
    await chooser(page).setInputFiles({ name: 'camcorder.mxf', mimeType: 'application/mxf', buffer });
    await page.getByText("Your browser can't play this video").waitFor();
    await page.getByLabel('Caption').fill('From an old camcorder');
    await publish(page);
    const card = page.getByRole('listitem').filter({ hasText: 'From an old camcorder' });
    await card.getByText('Published.').waitFor();
    await leave();
  });
});

describe('an upload [long]', () => {
  it('is not uploaded again when only publishing failed; later edits are published; the card takes the focus', async () => {
    const { page, leave } = await open('/ReelPost');
    const requests = requestsOf(page);
    await page.route('**/api/reel/add', (route) => route.fulfill({ status: 500, body: 'no' }), { times: 1 });
    await chooser(page).setInputFiles(
      await clip('once.mp4', { seconds: 2, source: 'testsrc2=size=270x480:rate=25,hue=h=70' }),
    );
    await page.getByAltText(/^Cover/).waitFor();
    await publish(page);
    await page.getByText('Failed to upload reel').waitFor();
    await page.getByLabel('Caption').fill('Said in the end');
    await publish(page);
    const card = page.getByRole('listitem').filter({ hasText: 'Said in the end' });
    await card.waitFor();
    await expect.poll(() => focused(page)).toContain('Said in the end');
    // The video and its thumbnail, once each.
    expect(requests).toEqual({ uploads: 2, publications: 2 });

    await card.getByText('Published.').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Said in the end' }).waitFor();
    await leave();
  });

  it('says that it earns nothing when another person published the same file during the upload', async () => {
    const { page, leave } = await open('/ReelPost');
    await page.route('**/api/reel/add', (route) => route.fulfill({ status: 500, body: 'no' }), { times: 1 });
    const path = await clip('twice.mp4', { seconds: 2, source: 'testsrc2=size=270x480:rate=25,hue=h=110' });
    await chooser(page).setInputFiles(path);
    await page.getByLabel('Caption').fill('Second with it');
    await publish(page);
    await page.getByText('Failed to upload reel').waitFor();
    await (await signUpAt(site.origin, 'forms.faster')).publish(path, 'First with it');
    await publish(page);
    const card = page.getByRole('listitem').filter({ hasText: 'Second with it' });
    await card.getByText('Published.').waitFor();
    await card
      .getByText(/It was taken for a copy of a reel that \S+ published on .+, so it earns nothing\./)
      .waitFor();
    await leave();
  });

  it('can be cancelled without losing input; leaving the page asks first', async () => {
    const { page, leave } = await open('/ReelPost');
    await chooser(page).setInputFiles(await clip('never.mp4', { seconds: 2 }));
    await page.getByLabel('Caption').fill('Not yet');
    // The server never answers.
    await page.route('**/api/uploads', () => undefined);
    await publish(page);
    await page.getByRole('button', { name: 'Uploading...' }).waitFor();
    await page.getByText(/^0 of \S+ MB$/).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Publish' }).waitFor();
    await expect.poll(() => focused(page)).toBe('Publish');
    await expect.poll(() => page.getByLabel('Caption').inputValue()).toBe('Not yet');
    await page.getByRole('banner').getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await arrive(page, '/UserProfile');
    await leave();
  });
});

describe('the form to sign up', () => {
  it('has a notice of success, which a failed login removes', async () => {
    const { page, leave } = await site.open();
    await visit(page, '/SignupForm');
    const field = (name: string) => page.locator(`input[name=${name}]`);
    for (const name of ['name', 'username']) await field(name).fill('forms.newcomer');
    for (const name of ['password', 'cpassword']) await field(name).fill('a long password');
    await field('email').fill('forms.newcomer@people.example');
    await page.locator('main').getByRole('button', { name: 'Sign up' }).click();
    const news = page.locator('[data-sonner-toast]').filter({ hasText: 'Account created successfully' });
    // A notice does not disappear by itself while the mouse is over it.
    await news.hover();
    await field('password').fill('not it');
    await field('password').press('Enter');
    await page.getByText('Invalid credentials').waitFor();
    await expect.poll(() => news.count()).toBe(0);
    await leave();
  });

  it.each(['en', 'hi'])('has its button in the first screen, in %s [long]', async (lang) => {
    const { page, leave } = await site.open();
    await visit(page, `/SignupForm?lang=${lang}`);
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      const box = await page.locator('main form button[type=submit]').boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0), `${width} × ${height}`).toBeLessThanOrEqual(height);
    }
    await leave();
  });
});
