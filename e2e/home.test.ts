import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { furnishedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { copyReel } from '#testing/fixtures/reel-copies.ts';

const site = furnishedSite();

describe('the banner of Home (specification §2, §9)', () => {
  const shown = (page: Page) =>
    page.locator('[aria-roledescription=slide]:not([inert])').getAttribute('aria-label');
  const banner = (page: Page) => page.locator('[aria-roledescription=carousel]');
  /** From here on the clock moves only when the test says so. The first slide is shown, and pointed at. */
  async function stopClock(page: Page): Promise<void> {
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('button', { name: 'Show slide 1 of 5' }).click();
    await rendered(page);
    expect(await shown(page)).toBe('1 of 5');
  }
  /** React renders pointer events, and runs effects, in messages of the page to itself, which a stopped clock does not stop. */
  const rendered = (page: Page) =>
    page.evaluate(async () => {
      for (let turn = 0; turn < 10; turn += 1)
        await new Promise((done) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = done;
          port2.postMessage('');
        });
    });

  it('has 5 slides and advances every 3 seconds, wrapping around', async () => {
    const { page, leave } = await site.open();
    await page.clock.install();
    await visit(page, '/');
    expect(await page.locator('[aria-roledescription=slide]').count()).toBe(5);
    await stopClock(page);
    await page.mouse.move(5, 5);
    await rendered(page);
    const places = ['1 of 5', '2 of 5', '3 of 5', '4 of 5', '5 of 5'];
    for (let step = 1; step <= 5; step += 1) {
      await page.clock.runFor(2900);
      await rendered(page);
      expect(await shown(page)).toBe(places[(step - 1) % 5]);
      await page.clock.runFor(200);
      await expect.poll(() => shown(page)).toBe(places[step % 5]);
      await rendered(page);
    }
    await leave();
  });

  it('pauses on hover, focus and touch, when switched off, and with reduced motion [long]', async () => {
    const { page, leave } = await site.open();
    await page.clock.install();
    await visit(page, '/');
    await stopClock(page);
    await banner(page).hover();
    const staysFor10Seconds = async () => {
      await rendered(page);
      await page.clock.runFor(10_000);
      await rendered(page);
      expect(await shown(page)).toBe('1 of 5');
    };
    await staysFor10Seconds();
    await page.mouse.move(5, 5);
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Start watching' }).focus();
    await page.keyboard.press('Tab');
    await staysFor10Seconds();
    await page.getByRole('button', { name: 'Pause the slides' }).click();
    await page.mouse.move(5, 5);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await staysFor10Seconds();
    await leave();

    const quiet = await site.open({ reducedMotion: 'reduce' });
    await quiet.page.clock.install();
    await visit(quiet.page, '/');
    await quiet.page.clock.runFor(10_000);
    expect(await shown(quiet.page)).toBe('1 of 5');
    await quiet.leave();
  });

  it('moves by dots, arrow keys and swipes from 50 pixels, shorter swipes return; it is above the four figures and the links to follow and to both stores [long]', async () => {
    const { page, leave } = await site.open({ reducedMotion: 'reduce' });
    await visit(page, '/');
    expect(await page.locator('dl dd').allTextContents()).toEqual(['2.5k+', '1.8K+', '40+', '10k+']);
    expect(await page.locator('dl dt').allTextContents()).toEqual(['Videos', 'Posts', 'Categories', 'Users']);
    await page.getByText('Follow us', { exact: true }).waitFor();
    for (const name of ['Google Play', 'App Store'])
      expect(await page.locator('main').getByRole('link', { name }).first().getAttribute('href')).toMatch(
        /^https:/,
      );
    await page.getByRole('button', { name: 'Show slide 4 of 5' }).click();
    await expect.poll(() => shown(page)).toBe('4 of 5');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => shown(page)).toBe('5 of 5');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => shown(page)).toBe('1 of 5');
    const box = await banner(page).boundingBox();
    const swipe = async (by: number) => {
      const [x, y] = [(box?.x ?? 0) + 300, (box?.y ?? 0) + 60];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + by / 2, y, { steps: 3 });
      await page.mouse.move(x + by, y, { steps: 3 });
      await page.mouse.up();
    };
    await swipe(-49);
    await rendered(page);
    expect(await shown(page)).toBe('1 of 5');
    await swipe(-50);
    await expect.poll(() => shown(page)).toBe('2 of 5');
    await swipe(60);
    await expect.poll(() => shown(page)).toBe('1 of 5');
    await leave();
  });
});

it('prefetches the script of a linked page when its link is pointed at, and the player’s with the first reels [long]', async () => {
  const { page, leave } = await site.open();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await visit(page, '/');
  const isThere = (name: string) => asked.some((path) => path.startsWith(`/assets/${name}-`));
  await page.getByRole('link', { name: 'A glimpse of zoya' }).first().scrollIntoViewIfNeeded();
  await expect.poll(() => isThere('videoplayer')).toBe(true);
  expect(isThere('show-posts')).toBe(false);
  await page.getByRole('banner').getByRole('link', { name: 'Posts' }).hover();
  await expect.poll(() => isThere('show-posts')).toBe(true);
  expect(isThere('earning-statement')).toBe(false);
  await leave();
});

it('has the placeholder of every reel of the first screen in the markup, before any script runs [long]', async () => {
  const reel = await site.db.selectFrom('reels').select('id').executeTakeFirstOrThrow();
  await copyReel(site.db, site.data, reel.id, 3);
  const { data } = await (await fetch(`${site.origin}/api/reel/getallReels`)).json();
  const pictures = data.map(({ placeholder }: { placeholder: string }) => placeholder);
  for (const picture of pictures) expect(picture).toMatch(/^data:image\/\w+;base64,[\w+/=]{40,800}$/);
  const shown = async (path: string) => {
    const html = await (await fetch(site.origin + path)).text();
    // The scripts follow, with the same data again.
    const markup = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    return [...markup.matchAll(/background-image:\s*url\((data:[^)]+)\)/g)].map(([, picture]) => picture);
  };
  // A page may be cached for a second.
  await expect.poll(() => shown('/')).toEqual(pictures);
  expect(pictures).toHaveLength(4);
  await expect.poll(() => shown(`/videoplayer?reel=${reel.id}`)).toContain(pictures.at(-1));
});

describe('the script that hydrates a page (decision 0024) [long]', () => {
  it('is requested after the page is painted, after one second at the latest', async () => {
    const { page, leave } = await site.open();
    await visit(page, '/');
    const { stood, asked } = await page.evaluate(() => ({
      stood: performance.getEntriesByType('navigation')[0]?.toJSON().loadEventStart as number,
      asked: performance
        .getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
        .map(({ startTime }) => startTime),
    }));
    expect(stood).toBeGreaterThan(0);
    expect(asked.length).toBeGreaterThan(5);
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(Math.min(stood, 1000));
    await leave();
  });

  it('is requested after the page is painted, though it was hidden when it was loaded', async () => {
    const { page, leave } = await site.open();
    await page.addInitScript(() => {
      const { setTimeout } = window;
      // It gives the page all the time that it needs.
      Object.assign(window, {
        setTimeout: (done: () => void, milliseconds = 0) =>
          milliseconds === 1000 ? 0 : setTimeout(done, milliseconds),
      });
      new MutationObserver((_, begun) => {
        begun.disconnect();
        document.documentElement.style.visibility = 'hidden';
      }).observe(document, { childList: true });
      addEventListener('load', () =>
        setTimeout(() => document.documentElement.style.removeProperty('visibility'), 300),
      );
    });
    await visit(page, '/');
    const { painted, asked } = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      asked: performance
        .getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
        .map(({ startTime }) => startTime),
    }));
    expect(painted).toBeGreaterThan(0);
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(painted);
    await leave();
  });

  it('does not wait for a picture that fails to load [long]', async () => {
    const { page, leave } = await site.open();
    await page.route('**/tile.webp', () => undefined);
    await page.goto('/', { waitUntil: 'commit' });
    // One click: an early click is recorded and replayed after hydration, so a second one would undo it.
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
    await expect.poll(() => page.evaluate(() => document.body.className)).toBe('dark');
    expect(await page.evaluate(() => document.readyState)).toBe('interactive');
    await leave();
  });
});
