import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { takenOver, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';

const site = sharedSite();
let person: Client;

beforeAll(async () => {
  person = await signUpAt(site.origin, 'collector');
});

let made = 0;
async function clip(name: string): Promise<string> {
  made += 1;
  const path = join(site.data, `${name}.mp4`);
  await makeClip(path, { seconds: 1, source: `testsrc2=size=180x320:rate=25,hue=h=${made * 25}` });
  return path;
}
async function photo(name: string): Promise<string> {
  made += 1;
  const path = join(site.data, `${name}.jpg`);
  const create = { width: 300, height: 400, channels: 3 as const, background: { r: made * 9, g: 90, b: 70 } };
  await sharp({ create }).jpeg().toFile(path);
  return path;
}

async function open(path = '/ReelPost') {
  const visitor = await site.open({
    person,
    viewport: { width: 390, height: 844 },
  });
  await visit(visitor.page, path);
  return visitor;
}

/** Holds the upload of each video until the test continues it; its thumbnail was sent before it. */
async function holdVideos(page: Page): Promise<Route[]> {
  const held: Route[] = [];
  const video = Buffer.from('reel').toString('base64');
  await page.route('**/api/uploads', async (route) => {
    if (route.request().headers()['upload-metadata']?.includes(video)) held.push(route);
    else await route.continue();
  });
  return held;
}

const chooser = (page: Page) => page.locator('input[type=file]').first();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, name: string) =>
  page
    .getByRole('list', { name: /^Ready to publish/ })
    .getByRole('listitem')
    .filter({ hasText: name });
const toggle = (page: Page, name: string) => row(page, name).getByRole('button', { name }).first();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
const isPublic = (page: Page, caption: string) =>
  page
    .getByRole('listitem')
    .filter({ hasText: caption })
    .getByText(/^Published\./)
    .waitFor();
const rows = (page: Page) =>
  page
    .getByRole('list', { name: /^Ready to publish/ })
    .locator('form')
    .count();

describe('uploading several videos', { timeout: 240_000 }, () => {
  it('uploads two at a time while the next form is filled in; each video pauses, is cancelled or fails independently', async () => {
    const { page, leave, complaints } = await open();
    const held = await holdVideos(page);
    await chooser(page).setInputFiles(await Promise.all(['alpha', 'beta', 'gamma', 'delta'].map(clip)));
    await row(page, 'delta.mp4').waitFor();
    await expect.poll(() => toggle(page, 'alpha.mp4').getAttribute('aria-expanded')).toBe('true');

    for (const [index, name] of ['alpha', 'beta', 'gamma'].entries()) {
      await row(page, name).getByLabel('Caption').fill(`The words of ${name}`);
      await row(page, name).getByRole('button', { name: 'Publish', exact: true }).click();
      // The next form opens and gets the focus.
      await expect.poll(() => row(page, name).getByLabel('Caption').isVisible()).toBe(false);
      await expect.poll(() => held.length).toBe(Math.min(index + 1, 2));
    }
    await expect.poll(() => focused(page)).toContain('delta.mp4');
    await row(page, 'delta').getByLabel('Caption').fill('The words of delta');
    await row(page, 'gamma').getByText('In the queue').waitFor();

    // Pausing one lets the next one start.
    await row(page, 'alpha').getByRole('button', { name: 'Pause' }).click();
    await row(page, 'alpha').getByText('Paused').waitFor();
    await expect.poll(() => held.length).toBe(3);
    await row(page, 'beta').getByRole('button', { name: 'Cancel' }).click();
    await row(page, 'beta').getByText('Not published yet').waitFor();
    await row(page, 'alpha').getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => held.length).toBe(4);

    await page.route('**/api/reel/add', (route) => route.fulfill({ status: 500, body: 'no' }), { times: 1 });
    await held[2]?.continue();
    await row(page, 'gamma').getByText('Failed to upload reel').waitFor();
    await held[3]?.continue();
    await isPublic(page, 'The words of alpha');
    // Text that is being typed is not disturbed by a publication.
    expect(await row(page, 'delta').getByLabel('Caption').inputValue()).toBe('The words of delta');
    await page.unroute('**/api/uploads');
    await row(page, 'gamma').getByRole('button', { name: 'Try again' }).click();
    await isPublic(page, 'The words of gamma');
    await expect.poll(() => rows(page)).toBe(2);

    await button(page, 'Publish all').click();
    await isPublic(page, 'The words of beta');
    await isPublic(page, 'The words of delta');
    // A form is reset to its initial state.
    await button(page, 'Select a video').waitFor();
    await expect.poll(() => page.getByLabel('Caption').inputValue()).toBe('');
    expect(complaints.filter((one) => !one.includes('500'))).toEqual([]);
    await leave();
  });

  it.each([
    { width: 390, height: 844 },
    { width: 844, height: 390 },
  ])('shows Publish as soon as a video is chosen, at $width×$height', async (viewport) => {
    const { page, leave } = await site.open({ person, viewport, hasTouch: true });
    await visit(page, '/ReelPost');
    await chooser(page).setInputFiles(await clip(`in-sight-${viewport.width}`));
    await page.locator('form video').waitFor();
    await expect
      .poll(() =>
        button(page, 'Publish').evaluate((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === one;
        }),
      )
      .toBe(true);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await leave();
  });

  it('refuses a file that is too large before the upload, and shows why; leaving the page asks first [long]', async () => {
    const { page, leave } = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const endless = join(site.data, 'endless.mp4');
    await writeFile(endless, '');
    await truncate(endless, 501 * 1024 * 1024);
    await chooser(page).setInputFiles([await clip('fits'), endless]);
    await row(page, 'endless.mp4')
      .getByText('This video is larger than 500 MB. Please choose a smaller one.')
      .waitFor();
    await row(page, 'fits.mp4')
      .getByAltText(/^Cover/)
      .waitFor();
    expect(asked.filter((one) => one.includes('/api/uploads'))).toEqual([]);
    await page.getByRole('banner').getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await button(page, 'Remove endless.mp4').click();
    await row(page, 'endless').waitFor({ state: 'detached' });
    await page.getByAltText(/^Cover/).waitFor();
    await leave();
  });

  it('restores the fields of each form after a reload [long]', async () => {
    const { page, leave } = await open();
    page.on('dialog', (dialog) => dialog.accept());
    const paths = await Promise.all(['left', 'right'].map(clip));
    for (const round of ['written', 'found']) {
      await chooser(page).setInputFiles(paths);
      for (const name of ['left', 'right']) {
        await toggle(page, `${name}.mp4`).waitFor();
        if ((await toggle(page, `${name}.mp4`).getAttribute('aria-expanded')) === 'false')
          await toggle(page, `${name}.mp4`).click();
        const caption = row(page, `${name}.mp4`).getByLabel('Caption');
        if (round === 'written') await caption.fill(`To the ${name}`);
        await expect.poll(() => caption.inputValue()).toBe(`To the ${name}`);
      }
      await page.reload();
      await takenOver(page);
    }
    await leave();
  });
});

describe('uploading several photos [long]', () => {
  it('adds photos one by one or together, at most ten, and publishes all of them', async () => {
    const { page, leave } = await open('/PhotoPost');
    await chooser(page).setInputFiles(await photo('first'));
    await page.getByRole('img', { name: 'Preview of first.jpg' }).waitFor();
    const opened = page.waitForEvent('filechooser');
    await button(page, 'Add more').click();
    const more = await Promise.all(Array.from({ length: 10 }, (_, index) => photo(`more-${index}`)));
    await (await opened).setFiles(more);
    await page.getByText('You can add up to 10 at a time.').waitFor();
    await expect.poll(() => rows(page)).toBe(10);
    for (let index = 2; index < 9; index += 1) await button(page, `Remove more-${index}.jpg`).click();
    await expect.poll(() => rows(page)).toBe(3);
    await button(page, 'Publish all').click();
    await expect.poll(() => page.getByText('Published. Everyone can see it now.').count()).toBe(3);
    await button(page, 'Select a photo').waitFor();
    await leave();
  });
});
