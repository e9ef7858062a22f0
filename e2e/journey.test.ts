import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptySite } from '#testing/browser/site.ts';
import { arrive, type Visitor, type VisitorOptions, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { copyReelAs } from '#testing/fixtures/reel-copies.ts';

const site = emptySite();
/** The reels that are on the site before each test. */
const captions = ['The first glimpse', 'The second glimpse', 'The third glimpse'];
/** What each page has complained about. */
const complaints: string[][] = [];

beforeAll(async () => {
  const creator = await signUpAt(site.origin, 'zoya');
  const first = await creator.publish(await clip(0), '');
  await copyReelAs(site, first, captions);
});
afterAll(async () => {
  // In all tests above, no page sent a request to another host.
  expect(complaints.flat().filter((one) => one.startsWith('asks'))).toEqual([]);
});

async function open(options: VisitorOptions = {}): Promise<Visitor> {
  const visitor = await site.open(options);
  complaints.push(visitor.complaints);
  return visitor;
}

/** A clip with unique bytes. */
async function clip(hue: number): Promise<string> {
  const path = join(site.data, `clip-${hue}.mp4`);
  await makeClip(path, { seconds: 2, source: `testsrc2=size=270x480:rate=25,hue=h=${hue * 31}` });
  return path;
}

const tiles = (page: Page) => page.locator('a[href^="/videoplayer?reel="]');

describe('a creator', () => {
  it('signs up, logs in, uploads, and sees the reel processed, public and first in the grid', async () => {
    const { page, leave } = await open();
    await visit(page, '/SignupForm');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('All fields are required').waitFor();
    await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('name');
    await page.getByLabel('Name', { exact: true }).fill('Ravi Iyer');
    await page.getByLabel('Username').fill('ravi');
    await page.getByLabel('Email').fill('ravi@people.example');
    await page.getByLabel('Password', { exact: true }).fill('open sesame');
    await page.getByLabel('Confirm password').fill('open simsim');
    await page.keyboard.press('Enter');
    await page.getByText('Password and Confirm Password must be same').waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe('ravi');
    await page.getByLabel('Confirm password').fill('open sesame');
    await page.keyboard.press('Enter');
    await page.getByText('Account created successfully').waitFor();

    await arrive(page, '/LoginEmail');
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ravi@people.example');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('Invalid credentials').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('open sesame');
    await page.keyboard.press('Enter');
    await arrive(page, '/UserProfile');
    await page.getByRole('heading', { name: 'Ravi Iyer' }).waitFor();
    const kept = await page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('authToken')]);
    expect(JSON.parse(kept[0] ?? '{}').username).toBe('ravi');
    expect(kept[1]).toMatch(/^\S{40,}$/);

    await page.getByRole('main').getByText('Create', { exact: true }).click();
    await page.getByRole('link', { name: 'Upload Reel' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Please select a video first').waitFor();
    await page.getByLabel('Video', { exact: true }).setInputFiles(await clip(7));
    await page.getByLabel('Caption').fill('Straight from my phone');
    const category = async (name: string) => {
      await page.getByLabel('Search categories').fill(name.toUpperCase());
      return page.getByRole('button', { name, exact: true });
    };
    for (const name of ['Cricket', 'Comedy', 'Food']) await (await category(name)).click();
    // A fourth one looks disabled; it is pressed nevertheless.
    await (await category('Travel')).click({ force: true });
    await page.getByText('3 of 3').waitFor();
    expect(await page.getByRole('button', { name: 'Travel', exact: true }).getAttribute('aria-pressed')).toBe(
      'false',
    );
    await page.getByRole('button', { name: 'Publish' }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'Straight from my phone' });
    await card.getByText('Getting your reel ready').waitFor();
    await card.getByText('Published.').waitFor();
    await expect.poll(() => page.getByLabel('Caption').inputValue()).toBe('');

    await page.getByRole('link', { name: /home/ }).first().click();
    const first = tiles(page).first();
    await first.getByText('Straight from my phone').waitFor();
    const image = first.locator('img');
    await expect.poll(() => image.getAttribute('src')).toMatch(/^\/media\/[0-9a-f]{32}\/thumbnail\.webp$/);
    await expect
      .poll(() => image.evaluate((one: HTMLImageElement) => [one.naturalWidth, one.naturalHeight]))
      .toEqual([300, 533]);
    await leave();
  });
});

const current = (page: Page) =>
  page.evaluate(() => {
    const playing = [...document.querySelectorAll('video')].filter((video) => !video.paused);
    return playing.map((video) => ({
      time: video.currentTime,
      muted: video.muted,
      audible: !video.muted && video.volume > 0,
    }));
  });

describe('a visitor without an account', () => {
  it('reads the feed before any script runs', async () => {
    const html = await (await fetch(`${site.origin}/`)).text();
    for (const caption of ['The first glimpse', 'The second glimpse', 'The third glimpse'])
      expect(html).toContain(caption);
    expect(html).toContain('data:image/webp;base64,');
    const { page, leave } = await open({ javaScriptEnabled: false });
    await page.goto('/');
    await tiles(page).first().click();
    await page.waitForURL(/\/videoplayer\?reel=/);
    expect(await page.locator('video').first().getAttribute('controls')).not.toBeNull();
    await leave();
  });

  it('opens a reel: it plays with sound, the address follows it, a swipe shows the next one, the list wraps around, and a like asks to download the app', async () => {
    const { page, leave } = await open();
    await visit(page, '/');
    const reels = await tiles(page).count();
    await tiles(page).first().click();
    await arrive(page, /\/videoplayer\?reel=/);
    await expect.poll(async () => (await current(page))[0]?.time ?? 0).toBeGreaterThan(0.4);
    await expect.poll(async () => (await current(page)).map(({ audible }) => audible)).toEqual([true]);
    const samples = () =>
      page.evaluate(() => {
        const video = [...document.querySelectorAll('video')].find(
          (one) => !one.paused,
        ) as HTMLVideoElement & {
          webkitAudioDecodedByteCount: number;
        };
        return video.webkitAudioDecodedByteCount;
      });
    await expect.poll(samples).toBeGreaterThan(0);

    const addresses = [page.url()];
    for (let step = 0; step < reels; step += 1) {
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => page.url()).not.toBe(addresses.at(-1));
      addresses.push(page.url());
    }
    expect(new Set(addresses).size).toBe(reels);
    expect(addresses.at(-1)).toBe(addresses[0]);
    await page.getByRole('button', { name: 'Previous video' }).click();
    await expect.poll(() => page.url()).toBe(addresses.at(-2));

    await page.getByRole('button', { name: /like/ }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'Get it on Google Play' }).waitFor();
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await leave();
  });

  it('returns with Back to the same position in the grid', async () => {
    const { page, leave } = await open({ viewport: { width: 390, height: 600 } });
    await visit(page, '/');
    await page.evaluate(() => window.scrollTo(0, 400));
    await tiles(page).last().scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => window.scrollY);
    expect(place).toBeGreaterThan(100);
    await tiles(page).last().click();
    await arrive(page, /\/videoplayer/);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Back' }).click();
    await arrive(page, '/');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
    await leave();
  });

  it('gets a real 404 for an unknown address', async () => {
    const response = await fetch(`${site.origin}/no/such/page`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('The link may be wrong, or the page was removed.');
  });
});

describe('every page', () => {
  it('allows only its own scripts', async () => {
    const policy = (await fetch(`${site.origin}/`)).headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self'( 'sha256-[^']+')+;/);
    expect(/script-src[^;]*unsafe/.test(policy)).toBe(false);
  });
});
