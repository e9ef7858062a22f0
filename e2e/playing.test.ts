import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendPlaybackFigures } from '#contract/playback.ts';
import { emptySite } from '#testing/browser/site.ts';
import { arrive, type VisitorOptions, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { copyReel } from '#testing/fixtures/reel-copies.ts';

/** Number of swipes over which the player's memory is measured: 200 in long runs. */
const swipes = Number(process.env.SWIPES ?? 40);
const reelCount = 10;

const site = emptySite();
let zoya: Client;

beforeAll(async () => {
  zoya = await signUpAt(site.origin, 'zoya');
  const path = join(site.data, 'clip.mp4');
  await makeClip(path, { seconds: 2, width: 720, height: 1280 });
  const first = await zoya.publish(path, 'A glimpse');
  await copyReel(site.db, site.data, first, reelCount - 1);
});

const open = (options: VisitorOptions = {}) =>
  site.open({ viewport: { width: 390, height: 844 }, ...options });
const tiles = (page: Page) => page.locator('a[href^="/videoplayer?reel="]');
const onScreen = (page: Page) => page.locator('.clip:not([inert]) video');

/** From Home into the player, as people do. */
async function openPlayer(page: Page) {
  await visit(page, '/');
  await tiles(page).first().click();
  await arrive(page, /\/videoplayer\?reel=/);
}

const plays = (page: Page) =>
  expect
    .poll(() => onScreen(page).evaluate((video: HTMLVideoElement) => (video.paused ? 0 : video.currentTime)))
    .toBeGreaterThan(0.1);

/** Moves on this many times, each as soon as the address has followed the previous one. */
const swipe = (page: Page, times: number) =>
  page.evaluate(async (left) => {
    for (; left > 0; left -= 1) {
      const before = location.search;
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      while (location.search === before) await new Promise(requestAnimationFrame);
    }
  }, times);

const fileOf = (page: Page) =>
  onScreen(page).evaluate((video: HTMLVideoElement) => new URL(video.src).pathname.split('/').at(-1));

describe('the rendition [long]', () => {
  /** Large enough for every rendition. */
  const phone = { deviceScaleFactor: 2 };
  /** What the browser reports of its network before anything is measured. */
  const says = (page: Page, connection: { downlink: number; saveData?: boolean }) =>
    page.addInitScript((value) => Object.defineProperty(navigator, 'connection', { value }), connection);

  async function throttle(page: Page, megabits: number) {
    const client = await page.context().newCDPSession(page);
    const bytes = (megabits * 1_000_000) / 8;
    await client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 50,
      downloadThroughput: bytes,
      uploadThroughput: bytes,
    });
  }

  it.each([
    [{ downlink: 0.6 }, '360.mp4'],
    [{ downlink: 10 }, 'video.mp4'],
  ])('of a first video fits the network %o', async (connection, file) => {
    const { page, leave } = await open(phone);
    await says(page, connection);
    await openPlayer(page);
    await expect.poll(() => fileOf(page)).toBe(file);
    await leave();
  });

  it('has no more pixels than the screen shows, however fast the network is', async () => {
    const { page, leave } = await open({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 });
    await says(page, { downlink: 10 });
    await openPlayer(page);
    await expect.poll(() => fileOf(page)).toBe('540.mp4');
    await leave();
  });

  it('is smaller when the measured bandwidth is low', async () => {
    const { page, leave } = await open(phone);
    await says(page, { downlink: 10 });
    await openPlayer(page);
    await plays(page);
    expect(await fileOf(page)).toBe('video.mp4');
    await throttle(page, 1);
    // Moving on at the pace of a viewer; preloaded videos keep the rendition chosen before.
    const nextFile = async () => {
      await swipe(page, 1);
      return await fileOf(page);
    };
    await expect.poll(nextFile, { timeout: 60_000, interval: 1000 }).toBe('360.mp4');
    await leave();
  });

  it('is the smallest with Save-Data at any speed', async () => {
    const { page, leave } = await open(phone);
    await says(page, { downlink: 10, saveData: true });
    await openPlayer(page);
    await plays(page);
    await swipe(page, 3);
    await expect.poll(() => fileOf(page)).toBe('360.mp4');
    await leave();
  });
});

describe('from one video to the next', () => {
  it('loads the current video first, and its neighbours when it can play through', async () => {
    const { page, leave } = await open();
    // By the reel: its tile may have requested a preview of its own.
    const asked = new Set<string>();
    const reelOf = (address: string) => new URL(address).pathname.split('/')[2] ?? '';
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await visit(page, '/');
    await page.route('**/media/**/*.mp4', async (route) => {
      asked.add(reelOf(route.request().url()));
      await released;
      await route.continue();
    });
    await tiles(page).first().click();
    await expect.poll(() => onScreen(page).count()).toBe(1);
    await expect.poll(() => asked.size).toBe(1);
    // Until its first frame its poster is shown, and the video is transparent.
    const poster = page.locator('.clip:not([inert]) img');
    await expect.poll(() => poster.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
    const opacity = () => onScreen(page).evaluate((video) => getComputedStyle(video).opacity);
    expect(await opacity()).toBe('0');
    const [first] = asked;
    expect(reelOf(await onScreen(page).evaluate((video: HTMLVideoElement) => video.src))).toBe(first);
    expect(asked.size).toBe(1);
    release();
    await expect.poll(opacity).toBe('1');
    await expect.poll(() => asked.size).toBe(3);
    await leave();
  });

  it('shows a picture at once, because the neighbour’s first frame is preloaded [long]', async () => {
    const { page, leave } = await open();
    await openPlayer(page);
    await plays(page);
    // Three videos have their first frame, and the page knows it: a video without one is transparent.
    const opacities = () =>
      page
        .locator('.clip video')
        .evaluateAll((videos) => videos.map((video) => getComputedStyle(video).opacity));
    await expect.poll(opacities).toEqual(['1', '1', '1']);
    const seen = await page.evaluate(async () => {
      const opacities: string[] = [];
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      for (let frame = 0; frame < 30; frame += 1) {
        await new Promise(requestAnimationFrame);
        const video = document.querySelector('.clip:not([inert]) video');
        if (video) opacities.push(getComputedStyle(video).opacity);
      }
      return [...new Set(opacities)];
    });
    expect(seen).toEqual(['1']);
    await leave();
  });

  it('never plays the sound of two videos during thirty quick moves, and that of the last one at the end [long]', async () => {
    const { page, leave } = await open();
    await openPlayer(page);
    await plays(page);
    const seen = await page.evaluate(async () => {
      let heard = 0;
      const shown = new Set<string>();
      for (let frame = 0; frame < 90; frame += 1) {
        if (frame % 3 === 0) {
          const key = frame % 4 === 0 ? 'ArrowUp' : 'ArrowDown';
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        }
        await new Promise(requestAnimationFrame);
        const loud = [...document.querySelectorAll('video')].filter((video) => !video.paused && !video.muted);
        heard = Math.max(heard, loud.length);
        shown.add(location.search);
      }
      return { heard, shown: shown.size };
    });
    expect(seen.shown).toBeGreaterThan(3);
    expect(seen.heard).toBe(1);
    await plays(page);
    expect(await onScreen(page).evaluate((video: HTMLVideoElement) => video.muted)).toBe(false);
    await leave();
  });

  it('continues to play when the phone is turned [long]', async () => {
    const { page, leave } = await open({ hasTouch: true, isMobile: true });
    await openPlayer(page);
    await plays(page);
    const before = page.url();
    await onScreen(page).evaluate((video: HTMLVideoElement) => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      for (const name of ['pause', 'emptied', 'error']) video.addEventListener(name, () => seen.push(name));
    });
    for (const size of [
      { width: 844, height: 390 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      const boxOf = () =>
        onScreen(page).evaluate((video) => {
          const { left, top, width, height } = video.getBoundingClientRect();
          return { left, top, width, height };
        });
      await expect.poll(boxOf).toEqual({ left: 0, top: 0, ...size });
      await plays(page);
    }
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
    expect(page.url()).toBe(before);
    await leave();
  });

  it(`keeps memory bounded over ${swipes} swipes: three videos, and removed ones are released [long]`, async () => {
    const { page, leave } = await open();
    // Not needed here: every view is one call.
    await page.route('**/api/reel/increaseView/**', (route) =>
      route.fulfill({ json: { status: 'ok', views: 1, counted: false } }),
    );
    await page.route('**/api/playback', (route) => route.fulfill({ json: { status: 'ok' } }));
    await page.addInitScript(() => {
      const made: WeakRef<HTMLVideoElement>[] = [];
      const create = document.createElement.bind(document);
      document.createElement = ((name: string, options?: ElementCreationOptions) => {
        const element = create(name, options);
        if (element instanceof HTMLVideoElement) made.push(new WeakRef(element));
        return element;
      }) as typeof document.createElement;
      Object.assign(window, { videosMade: made });
    });
    await openPlayer(page);
    await plays(page);
    const client = await page.context().newCDPSession(page);
    await client.send('Performance.enable');
    await swipe(page, swipes / 4);
    const early = await memoryOf(page, client);
    await swipe(page, swipes - swipes / 4);
    const late = await memoryOf(page, client);

    expect(late.made).toBeGreaterThan(swipes / 2);
    expect(late.shown).toBe(3);
    // One may still be referenced by current work of the browser.
    expect(late.alive, JSON.stringify({ early, late })).toBeLessThanOrEqual(8);
    // Of all removed videos, at most the last one may still hold its data.
    expect(late.loading).toBeLessThanOrEqual(1);
    expect(late.nodes, JSON.stringify({ early, late })).toBeLessThan(early.nodes + 300);
    expect(late.listeners, JSON.stringify({ early, late })).toBeLessThan(early.listeners + 100);
    expect(late.heap, JSON.stringify({ early, late })).toBeLessThan(early.heap + 8_000_000);
    await leave();
  });
});

/** What the page holds after a garbage collection. */
async function memoryOf(page: Page, client: CDPSession) {
  for (const _ of [1, 2, 3]) {
    await client.send('HeapProfiler.collectGarbage');
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  const { metrics } = await client.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  const videos = await page.evaluate(() => {
    const { videosMade } = window as unknown as { videosMade: WeakRef<HTMLVideoElement>[] };
    const alive = videosMade.map((one) => one.deref()).filter((one) => one !== undefined);
    return {
      made: videosMade.length,
      alive: alive.length,
      shown: document.querySelectorAll('video').length,
      // Removed from the page, but still holding its data.
      loading: alive.filter((video) => !video.isConnected && video.currentSrc && video.readyState > 0).length,
    };
  });
  return {
    ...videos,
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
    heap: metric('JSHeapUsedSize'),
  };
}

describe('how well it played', () => {
  const hide = (page: Page) =>
    page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });

  it('is reported when the page is hidden, and again later if the report failed', async () => {
    const { page, leave } = await open();
    const bodies: unknown[] = [];
    let reachable = false;
    await page.route('**/api/playback', async (route) => {
      if (!reachable) return await route.abort();
      bodies.push(route.request().postDataJSON());
      await route.fulfill({ json: { status: 'ok' } });
    });
    await openPlayer(page);
    await plays(page);
    await swipe(page, 2);
    await plays(page);
    const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/playback'));
    await hide(page);
    await refused;
    const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem('playback') ?? '[]').length);
    await expect.poll(kept).toBe(3);

    await page.evaluate(() => Reflect.deleteProperty(document, 'visibilityState'));
    await page.getByRole('button', { name: 'Back' }).click();
    await arrive(page, '/');
    await tiles(page).first().click();
    await arrive(page, /\/videoplayer\?reel=/);
    await plays(page);
    reachable = true;
    await hide(page);
    await expect.poll(() => bodies.length).toBe(1);
    const { figures } = sendPlaybackFigures.body.parse(bodies[0]);
    expect(figures).toHaveLength(4);
    const [first] = figures;
    expect(first?.firstFrameMs).toBeGreaterThan(0);
    expect(first?.watchedMs).toBeGreaterThan(50);
    expect([360, 540, 720]).toContain(first?.rendition);
    await expect.poll(kept).toBe(0);
    await leave();
  });
});

describe('opening a reel [long]', () => {
  /** Number of view transition animations that ran, and of elements that were marked to become the player. */
  async function transition(page: Page) {
    await page.addInitScript(() => {
      const seen: { tiles: number; moving: number }[] = [];
      Object.assign(window, { transitions: seen });
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = ((update: () => Promise<void>) => {
        const tiles = [...document.querySelectorAll('*')].filter(
          (one) => getComputedStyle(one).viewTransitionName === 'reel',
        ).length;
        const running = start(update);
        void running.ready.then(() => {
          const moving = document
            .getAnimations()
            .filter(({ effect }) =>
              (effect as KeyframeEffect).pseudoElement?.startsWith('::view-transition-group(reel)'),
            );
          seen.push({ tiles, moving: moving.length });
        });
        return running;
      }) as typeof document.startViewTransition;
    });
    await openPlayer(page);
    const seen = () =>
      page.evaluate(
        () => (window as unknown as { transitions: { tiles: number; moving: number }[] }).transitions,
      );
    await expect.poll(async () => (await seen()).length).toBe(1);
    return (await seen())[0];
  }

  it('animates its tile, which grows into the player', async () => {
    const { page, leave } = await open();
    const seen = await transition(page);
    expect(seen?.tiles).toBe(1);
    expect(seen?.moving).toBeGreaterThan(0);
    await leave();
  });

  it('has no animation with reduced motion', async () => {
    const { page, leave } = await open({ reducedMotion: 'reduce' });
    expect((await transition(page))?.moving).toBe(0);
    await leave();
  });
});
