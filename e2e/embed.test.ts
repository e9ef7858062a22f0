import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';

const site = sharedSite();
const dialog = (page: Page) => page.getByRole('dialog');

/** An HTTP server in the place of another site; it answers with the HTML in `html`. */
let elsewhere: Server;
let html = '';
beforeAll(async () => {
  elsewhere = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><title>Elsewhere</title><p>A story</p>${html}`,
    );
  });
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
});
afterAll(() => elsewhere.close());

async function openElsewhere(page: Page, shown: string): Promise<void> {
  html = shown;
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
}

const viewsOf = async () =>
  (await site.db.selectFrom('reels').select('views').where('id', '=', site.reel).executeTakeFirstOrThrow())
    .views;

describe('a reel on another site', () => {
  it('is there by the code of the share dialog, plays on a click, and counts nothing', async () => {
    const { page, leave } = await site.open({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(() => {
      const writeText = async (words: string) => void Object.assign(window, { copied: words });
      Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
    });
    await visit(page, `/videoplayer?reel=${site.reel}`);
    await page.locator('.player-rail').getByRole('button', { name: /share/ }).click();
    await dialog(page).getByText('Embed on a website').click();
    await dialog(page).getByRole('button', { name: 'Copy code' }).click();
    await dialog(page).getByText('Code copied.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const code = await page.evaluate(() => Reflect.get(window, 'copied') as string);
    expect(await dialog(page).getByLabel('HTML for the website').inputValue()).toBe(code);

    const { origin } = new URL(page.url());
    await openElsewhere(page, code);
    const views = await viewsOf();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const frame = page.frameLocator('iframe[title="A glimpse of zoya"]');
    const video = frame.locator('video');
    await video.evaluate((one: HTMLVideoElement) => one.play());
    await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime)).toBeGreaterThan(0.5);
    expect(await frame.locator('html').evaluate(() => document.cookie)).toBe('');
    expect(asked.filter((url) => url.startsWith(`${origin}/api/`))).toEqual([]);
    expect(await viewsOf()).toBe(views);

    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      frame.getByRole('link', { name: 'Watch on Jhalak' }).click(),
    ]);
    await opened.waitForURL(`**/videoplayer?reel=${site.reel}`);
    await leave();
  });

  it('cannot show any other page of Jhalak [long]', async () => {
    const { page, leave } = await site.open();
    const refused = page.waitForEvent('console', (message) =>
      /frame-ancestors|X-Frame-Options/i.test(message.text()),
    );
    await openElsewhere(page, `<iframe src="${site.origin}/videoplayer?reel=${site.reel}"></iframe>`);
    await refused;
    expect(await page.frames().at(-1)?.locator('body').textContent()).not.toContain('zoya');
    await leave();
  });

  it.each([
    ['light', 'en', 200, 300],
    ['dark', 'hi', 320, 568],
    ['dark', 'en', 560, 315],
    ['light', 'hi', 1920, 1080],
  ] as const)(
    'in a %s frame in %s of %i × %i shows the whole video and both links [long]',
    async (...look) => {
      const [colorScheme, lang, width, height] = look;
      const { page, complaints, leave } = await site.open({ viewport: { width, height } });
      await page.emulateMedia({ colorScheme });
      await page.goto(`/embed/${site.reel}?lang=${lang}`);
      const boxes = await page
        .locator('video, a')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
      expect(boxes).toHaveLength(3);
      for (const box of boxes) {
        expect(box.right).toBeLessThanOrEqual(width);
        expect(box.bottom).toBeLessThanOrEqual(height);
        expect(box.width).toBeGreaterThanOrEqual(44);
        expect(box.height).toBeGreaterThanOrEqual(44);
      }
      await page.getByRole('link', { name: lang === 'hi' ? 'झलक पर देखें' : 'Watch on Jhalak' }).waitFor();
      await page.getByRole('link', { name: '@zoya' }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await leave();
    },
  );
});
