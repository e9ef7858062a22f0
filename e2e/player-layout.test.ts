import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { giveReels } from '#testing/fixtures/reel-copies.ts';
import { isWhole, someOf } from '#testing/share.ts';

const site = sharedSite();
type ScreenSize = [width: number, height: number];
const smallest: ScreenSize = [320, 320];
const largest: ScreenSize = [2560, 1440];
const between: ScreenSize[] = [
  [320, 568],
  [360, 640],
  [390, 844],
  [412, 500],
  [480, 320],
  [568, 320],
  [640, 400],
  [667, 375],
  [844, 390],
  [932, 430],
  [768, 1024],
  [1024, 600],
  [1280, 480],
  [1280, 800],
  [1920, 1080],
];
/** Seven of 17; all of them in `test:long`. */
const sizes = [smallest, ...someOf(between, 5), largest];
const shapes = { tall: [270, 480], square: [480, 480], wide: [480, 270] } as const;
type Shape = keyof typeof shapes;
/** By shape: each with a long caption, large numbers and subtitles in two languages. */
const reels = {} as Record<Shape, string>;

beforeAll(async () => {
  const { db, origin } = site;
  const creator = await signUpAt(origin, 'tara_of_the_old_city_by_a_lake');
  const names = Object.keys(shapes) as Shape[];
  const ids = await giveReels(site, creator.id, names);
  for (const [place, shape] of names.entries()) {
    const id = ids[place] ?? '';
    reels[shape] = id;
    const [width, height] = shapes[shape];
    await db
      .updateTable('reels')
      .set({
        ...{
          width,
          height,
          views: 999_999,
          like_count: 99_900,
          comment_count: 5_234,
          share_count: 1_234_567,
        },
        caption: 'Morning light over the old city, and the kites are already up. '.repeat(8),
        credit: 'Photographed by my grandmother, who would not say when',
        source_url: 'https://www.youtube.com/watch?v=abcdefghijk',
      })
      .where('id', '=', id)
      .execute();
    await subtitle(id, 'en', 'She said that we would be back before the rain comes down on the hills');
    await subtitle(id, 'hi', 'उसने कहा था कि पहाड़ों पर फिर से बारिश होने से पहले हम लौट आएँगे');
  }

  async function subtitle(id: string, language: string, words: string) {
    const form = new FormData();
    form.append('file', new Blob([`WEBVTT\n\n00:00.000 --> 03:00.000\n${words}\n`]), 'words.vtt');
    const headers = { authorization: `Bearer ${creator.token}` };
    const body = { method: 'POST', headers, body: form };
    const answer = await fetch(`${origin}/api/reel/captions/${id}/${language}`, body);
    expect(answer.status).toBe(200);
  }
});

/** The reel of a shape with everything that can be drawn over it: subtitles on, and the browser requires a tap before any sound. */
async function openReel(shape: Shape, lang: string, hasTouch: boolean) {
  const { page, leave } = await site.open({ hasTouch });
  await page.addInitScript(() => {
    localStorage.setItem('captions', 'on');
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function () {
      if (this.muted) return play.call(this);
      return Promise.reject(new DOMException('A tap is needed', 'NotAllowedError'));
    };
  });
  await visit(page, `/videoplayer?reel=${reels[shape]}&lang=${lang}`);
  await page.locator('[data-captions]').waitFor();
  // Nothing moves from here on, so that no size waits for the previous one's pictures.
  await page.evaluate(() => {
    for (const video of document.querySelectorAll('video')) video.playbackRate = 0;
  });
  return { page, leave };
}

/** The layout errors at each size. */
async function faultsAtAllSizes(page: Page, touch: boolean): Promise<string[]> {
  const faults: string[] = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    const found = await page.evaluate(faultsOfLayout, { width, touch });
    faults.push(...found.map((fault) => `${width}×${height}: ${fault}`));
  }
  return faults;
}

/** Each of them with a language, in turn; all pairs in `test:long`. */
function oneInEachLanguage<T>(all: T[]): [T, string][] {
  const languages = ['hi', 'en'];
  return all.flatMap((one, place) =>
    (isWhole ? languages : [languages[place % 2] ?? '']).map((lang): [T, string] => [one, lang]),
  );
}

/** Elements that leave the screen, cover another one or are too small for a finger. */
function faultsOfLayout({ width, touch }: { width: number; touch: boolean }): string[] {
  const faults: string[] = [];
  if (innerWidth !== width) faults.push(`is still ${innerWidth} wide`);
  const player = document.querySelector('.player') as HTMLElement;
  const isSeen = (one: Element) => one.checkVisibility() && one.getBoundingClientRect().width > 0;
  const controls = [...player.querySelectorAll('.player-over :is(a, button, summary, input)')].filter(isSeen);
  const words = [
    ...player.querySelectorAll(
      '[data-captions] span, .player-caption, .player-more, .player-count, .player-hold-up',
    ),
  ].filter(isSeen);
  const nameOf = (one: Element) =>
    (one.getAttribute('aria-label') ?? one.textContent ?? '').slice(0, 24) || one.className;
  /** Its visible part: what scrolls or is clipped ends at the edge of its container. */
  const boxOf = (one: Element) => {
    let { left, right, top, bottom } = one.getBoundingClientRect();
    for (let around = one.parentElement; around && around !== player; around = around.parentElement) {
      if (getComputedStyle(around).overflowY === 'visible') continue;
      const edge = around.getBoundingClientRect();
      [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { left, right, top, bottom };
  };
  const cover = (one: Element, other: Element) => {
    const [a, b] = [boxOf(one), boxOf(other)];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    return across > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  };

  if (controls.length < 9) faults.push(`shows only ${controls.map(nameOf)}`);
  const all = [...controls, ...words];
  for (const [place, one] of all.entries()) {
    const { left, right, top, bottom } = boxOf(one);
    if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
      faults.push(`${nameOf(one)} leaves the screen`);
    for (const other of all.slice(place + 1)) {
      if (!one.contains(other) && !other.contains(one) && cover(one, other))
        faults.push(`${nameOf(one)} and ${nameOf(other)} lie over each other`);
    }
  }
  for (const one of controls) {
    // An element that is scrolled out of sight keeps its full size.
    const { width, height } = one.getBoundingClientRect();
    const least = touch ? 44 : 24;
    if (width < least - 0.5 || height < least - 0.5)
      faults.push(`${nameOf(one)} is ${Math.round(width)}×${Math.round(height)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push('scrolls sideways');
  return faults;
}

describe('the player, from 320 × 320 to 2560 × 1440', () => {
  it.each(oneInEachLanguage(Object.keys(shapes) as Shape[]))(
    'keeps all elements over a %s video on the screen, apart and large enough for a finger (%s)',
    async (shape, lang) => {
      const { page, leave } = await openReel(shape, lang, true);
      const faults = await faultsAtAllSizes(page, true);
      await page.locator('.player-said > button').click();
      const opened = await faultsAtAllSizes(page, true);
      await page.locator('.player-said > button').click();
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.keyboard.press(' ');
      await page.locator('.player-play').waitFor();
      const paused = await faultsAtAllSizes(page, true);
      expect({ faults, opened, paused }).toEqual({ faults: [], opened: [], paused: [] });
      await leave();
    },
  );
});

describe('the player’s message', () => {
  it.each(oneInEachLanguage([503, 404]))(
    'of a video that is answered with %i covers nothing on any screen (%s)',
    async (status, lang) => {
      const { page, leave } = await site.open({ hasTouch: true });
      await page.route(/\/media\/.*\.mp4/, (route) => route.fulfill({ status, body: '' }));
      await visit(page, `/videoplayer?reel=${reels.tall}&lang=${lang}`);
      await page.locator('.player-hold-up').getByRole('button').waitFor();
      // The first that cannot be played is skipped; the next one waits.
      if (status === 404) await arrive(page, (url) => url.searchParams.get('reel') !== reels.tall);
      await page.locator('.player-hold-up').getByRole('button').waitFor();
      expect(await faultsAtAllSizes(page, true)).toEqual([]);
      await leave();
    },
  );
});

describe('the player', () => {
  it('keeps all elements apart for a mouse as well', async () => {
    const { page, leave } = await openReel('tall', 'en', false);
    expect(await faultsAtAllSizes(page, false)).toEqual([]);
    await leave();
  });

  it('opens its subtitles menu within any screen', async () => {
    const { page, leave } = await openReel('tall', 'en', true);
    await page.locator('summary[aria-label="Subtitles"]').click();
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      const inside = await page.locator('.player-sound .panel:visible').evaluate((panel) => {
        const { left, right, top, bottom } = panel.getBoundingClientRect();
        return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      });
      expect({ width, height, inside }).toEqual({ width, height, inside: true });
    }
    await leave();
  });

  it.each([
    [1280, 800],
    [2560, 1440],
  ])('places caption, actions and progress on the video at %i × %i', async (width, height) => {
    const { page, leave } = await openReel('tall', 'en', false);
    await page.setViewportSize({ width, height });
    // The comments take 380 px on the right.
    const [middle, half] = [(width - 380) / 2, (height * 9) / 32];
    const [left, right] = [middle - half, middle + half];
    const boxOf = async (selector: string) => {
      const { x, width } = (await page.locator(selector).boundingBox()) ?? { x: 0, width: 0 };
      return { from: x, to: x + width };
    };
    for (const selector of ['.player-details', '.scrubber']) {
      const { from, to } = await boxOf(selector);
      expect(from).toBeGreaterThanOrEqual(left - 1);
      expect(to).toBeLessThanOrEqual(right + 1);
    }
    const rail = await boxOf('.player-rail');
    expect(rail.from).toBeGreaterThanOrEqual(right);
    expect(rail.from).toBeLessThan(right + 24);
    await leave();
  });
});
