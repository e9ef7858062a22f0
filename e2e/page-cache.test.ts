import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBrowser, openBrowser } from '#testing/browser/browser.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, openVisitor, visit } from '#testing/browser/visitor.ts';

const site = sharedSite();
let browser: Browser;
/** Another site. */
let elsewhere: Server;

beforeAll(async () => {
  elsewhere = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Elsewhere</title>'),
  );
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  browser = await openBrowser({ pageCache: true });
});
afterAll(async () => {
  await browser?.close();
  elsewhere?.close();
});

const video = (page: Page) => page.locator('.clip:not([inert]) video');
const timeOf = (page: Page) =>
  video(page).evaluate((one: HTMLVideoElement) => (one.paused ? 0 : one.currentTime));
/** How many videos of the page are heard. */
const soundsOf = (page: Page) =>
  page.evaluate(
    () => [...document.querySelectorAll('video')].filter(({ paused, muted }) => !paused && !muted).length,
  );

const keepsPages = findBrowser({ pageCache: true }) !== undefined;

it.runIf(keepsPages)(
  'Back from another site into the player plays the same reel on, with one sound',
  async () => {
    const { page, leave, complaints } = await openVisitor(browser, site.origin);
    await visit(page, `/user/${site.creator.id}`);
    await page.getByRole('link', { name: /^A glimpse of zoya/ }).click();
    await arrive(page, /\/videoplayer\?reel=/);
    await expect.poll(() => timeOf(page)).toBeGreaterThan(0.1);
    const reel = page.url();
    // Lost if the page is loaded again instead of taken from the cache.
    await page.evaluate(() => Object.assign(window, { kept: true }));
    const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    await page.evaluate((address) => location.assign(address), address);
    await expect.poll(() => page.title()).toBe('Elsewhere');
    // By a timer: `evaluate` could not return a value from a page that is left.
    await page.evaluate(() => void setTimeout(() => history.back()));
    await page.waitForURL(reel, { waitUntil: 'commit' });
    await expect.poll(() => page.evaluate(() => 'kept' in window)).toBe(true);
    await expect.poll(() => timeOf(page)).toBeGreaterThan(0.1);
    const before = await timeOf(page);
    await expect.poll(() => timeOf(page)).not.toBe(before);
    expect(await soundsOf(page)).toBe(1);
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    expect(await soundsOf(page)).toBe(0);
    expect(complaints.filter((one) => one !== `asks ${new URL(address).origin}`)).toEqual([]);
    await leave();
  },
);
