import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptySite } from '#testing/browser/site.ts';
import { arrive, type VisitorOptions, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { copyReel } from '#testing/fixtures/reel-copies.ts';

const site = emptySite();
let zoya: Client;
/** Newest first, as in every list: zoya's, more than a page of a list, and the oldest one is farid's. */
let ids: string[];

beforeAll(async () => {
  const farid = await signUpAt(site.origin, 'farid');
  zoya = await signUpAt(site.origin, 'zoya');
  const clips = [farid, zoya].map((person, hue) => {
    const path = join(site.data, `${hue}.mp4`);
    const source = `testsrc2=size=180x320:rate=25,hue=h=${hue * 90}`;
    return { person, path, made: makeClip(path, { seconds: 2, source }) };
  });
  const published: string[] = [];
  for (const { person, path, made } of clips) {
    await made;
    published.push(await person.publish(path, 'A glimpse'));
  }
  const [strange = '', first = ''] = published;
  // A copy is as old as the moment its original was uploaded; that one became public later.
  const copies = await copyReel(site.db, site.data, first, 26);
  ids = [first, ...copies.toReversed(), strange];
  await site.db
    .updateTable('reels')
    .set({ categories: ['cricket'] })
    .where('id', '=', ids[3] ?? '')
    .execute();
});

const open = async (options: VisitorOptions = {}) => {
  const visitor = await site.open({
    viewport: { width: 390, height: 844 },
    ...options,
  });
  // Not needed here.
  await visitor.page.route('**/api/reel/increaseView/**', (route) =>
    route.fulfill({ json: { status: 'ok', views: 1, counted: false } }),
  );
  return visitor;
};
const reelOf = (page: Page) => new URL(page.url()).searchParams.get('reel');
const onScreen = (page: Page) => page.locator('.clip:not([inert]) video');
const timeOf = (page: Page) => onScreen(page).evaluate((video: HTMLVideoElement) => video.currentTime);
const plays = (page: Page) => expect.poll(() => timeOf(page)).toBeGreaterThan(0.1);

async function next(page: Page) {
  const before = reelOf(page);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => reelOf(page)).not.toBe(before);
}

/** Moves on this many times; returns the reels shown. */
async function walk(page: Page, times: number): Promise<(string | null)[]> {
  const shown = [reelOf(page)];
  for (; times > 0; times -= 1) {
    await next(page);
    shown.push(reelOf(page));
  }
  return shown;
}

/** A page of a list other than the first. */
const isNextPage = (url: URL) =>
  /\/api\/reel\/(getallReels|getFrienddata)/.test(url.pathname) && url.searchParams.has('cursor');

describe('at the end of the loaded list', () => {
  it('the feed continues with its next page, and wraps around after the last video', async () => {
    const { page, leave } = await open();
    await visit(page, '/');
    await page.locator('a[href^="/videoplayer?reel="]').first().click();
    await arrive(page, /\/videoplayer\?reel=/);
    await plays(page);
    expect(await walk(page, ids.length)).toEqual([...ids, ids[0]]);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => reelOf(page)).toBe(ids.at(-1));
    await page.getByRole('button', { name: 'Back' }).click();
    await arrive(page, '/');
    // Forward restores the list and the position in it.
    await page.goForward();
    await plays(page);
    expect(reelOf(page)).toBe(ids.at(-1));
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => reelOf(page)).toBe(ids.at(-2));
    await leave();
  });

  it('a reel opened by its link is followed by the whole feed, each reel once', async () => {
    const { page, leave } = await open();
    const middle = ids[25] ?? '';
    await visit(page, `/videoplayer?reel=${middle}`);
    const others = ids.filter((id) => id !== middle);
    expect(await walk(page, ids.length)).toEqual([middle, ...others, middle]);
    await leave();
  });

  it('the reels of a profile are followed by more of the same person, and Back leads to the profile', async () => {
    const { page, leave } = await open();
    await visit(page, `/user/${zoya.id}`);
    await page
      .getByRole('button', { name: /^Preview the reel/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('link').click();
    await arrive(page, /\/videoplayer\?reel=/);
    await plays(page);
    // A profile sorts by upload, the feed by publication.
    const own = [...ids.slice(1, -1), ids[0]];
    expect(await walk(page, own.length)).toEqual([...own, own[0]]);
    await page.getByRole('button', { name: 'Back' }).click();
    await arrive(page, `/user/${zoya.id}`);
    await leave();
  });

  it('waits for a slow page, and retries a failed one without losing the position', async () => {
    const { page, leave } = await open();
    const asked: Route[] = [];
    await visit(page, '/');
    await page.route(isNextPage, (route) => void asked.push(route));
    const tile = page.locator(`a[href="/videoplayer?reel=${ids[6]}"]`);
    await tile.click();
    await arrive(page, /\/videoplayer\?reel=/);
    await plays(page);
    while (reelOf(page) !== ids[23]) await next(page);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('status').getByText('Loading…').waitFor();
    await expect.poll(() => asked.length).toBe(1);
    // Server errors are retried twice automatically.
    await page.unroute(isNextPage);
    let failing = true;
    await page.route(isNextPage, (route) =>
      failing
        ? route.fulfill({
            status: 500,
            json: { status: 'error', error: 'Bad day', message: 'Bad day', code: 'internal' },
          })
        : route.continue(),
    );
    await asked[0]?.fulfill({
      status: 400,
      json: { status: 'error', error: 'Bad day', message: 'Bad day', code: 'invalid' },
    });
    await page.getByText("Couldn't load more reels.").waitFor();
    expect(reelOf(page)).toBe(ids[23]);
    failing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => reelOf(page)).toBe(ids[24]);
    await leave();
  });
});

describe('a video that does not load', () => {
  const media = '**/media/**/*.mp4';
  const openReel = (page: Page) => visit(page, `/videoplayer?reel=${ids[3]}`);

  it('shows its poster and a loading indicator', async () => {
    const { page, leave } = await open();
    const held: Route[] = [];
    await page.route(media, (route) => void held.push(route));
    await openReel(page);
    const loading = page.getByRole('status').getByText('Loading…');
    await loading.waitFor();
    const poster = page.locator('.clip:not([inert]) img');
    await expect
      .poll(() => poster.evaluate((one: HTMLImageElement) => one.checkVisibility() && one.naturalWidth > 0))
      .toBe(true);
    await page.unroute(media);
    for (const route of held) await route.continue();
    await plays(page);
    await expect.poll(() => loading.count()).toBe(0);
    await leave();
  });

  it('continues after a lost connection without skipping a video', async () => {
    const { page, leave } = await open();
    await openReel(page);
    await plays(page);
    await page.context().setOffline(true);
    await page.route(media, (route) => route.abort('internetdisconnected'));
    // Preloaded videos may still play; others wait.
    for (let moves = 0; moves < 4; moves += 1) await next(page);
    const here = reelOf(page);
    const words = page.getByText("You're offline. The video continues when you're back online.");
    await words.waitFor();
    // As long as it took to skip a broken one.
    await page.waitForTimeout(4000);
    expect(reelOf(page)).toBe(here);
    expect(await words.isVisible()).toBe(true);
    await page.unroute(media);
    await page.context().setOffline(false);
    await plays(page);
    expect(reelOf(page)).toBe(here);
    await expect.poll(() => words.count()).toBe(0);
    await leave();
  });

  it('is retried on request after a server error', async () => {
    const { page, leave } = await open();
    await page.route(media, (route) => route.fulfill({ status: 503, body: '' }));
    await openReel(page);
    await page.getByText('Connection lost. Trying again…').waitFor();
    await page.unroute(media);
    await page.getByRole('button', { name: 'Try again' }).click();
    await plays(page);
    expect(reelOf(page)).toBe(ids[3]);
    await leave();
  });

  it.each([
    ['that is gone', { status: 404, body: '' }],
    ['that is no video', { status: 200, contentType: 'video/mp4', body: 'not a video' }],
  ])('with a file %s is skipped once; the next such video waits for the person', async (_, answer) => {
    const { page, leave } = await open();
    await page.route(media, (route) => route.fulfill(answer));
    await openReel(page);
    await page.getByText("This video can't be played. Moving on to the next one.").waitFor();
    await arrive(page, `/videoplayer?reel=${ids[0]}`);
    await page.getByText("This video can't be played.", { exact: true }).waitFor();
    await page.waitForTimeout(4000);
    expect(reelOf(page)).toBe(ids[0]);
    await page.unroute(media);
    await page.locator('.player-hold-up').getByRole('button', { name: 'Next video' }).click();
    await expect.poll(() => reelOf(page)).toBe(ids[1]);
    await plays(page);
    await leave();
  });
});

describe('the link of a deleted reel', () => {
  it('returns 404 and offers other reels, which play', async () => {
    const answer = await fetch(`${site.origin}/videoplayer?reel=01890000-0000-7000-8000-000000000000`);
    expect(answer.status).toBe(404);
    const html = await answer.text();
    expect(html).toContain('This reel isn');
    expect(html).toContain(`/videoplayer?reel=${ids[0]}`);
    const { page, leave } = await open();
    await visit(page, '/videoplayer?reel=01890000-0000-7000-8000-000000000000');
    await page.getByRole('heading', { name: "This reel isn't available" }).waitFor();
    await page.locator('header').getByRole('link', { name: 'Login' }).waitFor();
    await page.locator('main a[href^="/videoplayer?reel="]').first().click();
    await arrive(page, `/videoplayer?reel=${ids[0]}`);
    await plays(page);
    await leave();
  });
});

describe('an action that only the app has', () => {
  const dialog = (page: Page) => page.getByRole('dialog');

  it.each([
    ['en', 'likes', 'To like this reel, open it in the Jhalak app.'],
    ['en', 'comments', 'To comment on this reel, open it in the Jhalak app.'],
    ['en', 'shares', 'To share this reel, open it in the Jhalak app.'],
    ['en', 'views?$', "To see this reel's views, open it in the Jhalak app."],
    ['hi', 'लाइक', 'इस रील को लाइक करने के लिए इसे झलक ऐप में खोलें।'],
    ['hi', 'शेयर', 'इस रील को शेयर करने के लिए इसे झलक ऐप में खोलें।'],
  ])('is named in the popup (%s: %s)', async (lang, button, words) => {
    const { page, leave } = await open();
    await visit(page, `/videoplayer?reel=${ids[3]}&lang=${lang}`);
    await page
      .locator('.player-rail')
      .getByRole('button', { name: new RegExp(button) })
      .click();
    await dialog(page).getByText(words).waitFor();
    await leave();
  });

  it('a double tap on the video offers the app for likes, and the video continues after it', async () => {
    const { page, leave } = await open({ hasTouch: true });
    await visit(page, `/videoplayer?reel=${ids[3]}`);
    await plays(page);
    await page.touchscreen.tap(195, 400);
    await page.touchscreen.tap(197, 404);
    await dialog(page).getByText('To like this reel, open it in the Jhalak app.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog(page).count()).toBe(0);
    await expect.poll(() => onScreen(page).evaluate((video: HTMLVideoElement) => video.paused)).toBe(false);
    await leave();
  });

  it('the link of a reel is copied, or selected where the browser does not allow copying', async () => {
    const { page, leave } = await open();
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: async (words: string) => Object.assign(window, { copied: words }) },
        configurable: true,
      });
    });
    await visit(page, `/videoplayer?reel=${ids[3]}`);
    await page.locator('.player-rail').getByRole('button', { name: /share/ }).click();
    const copy = dialog(page).getByRole('button', { name: 'Copy link' });
    await copy.click();
    await dialog(page).getByText('Link copied.').waitFor();
    const address = `${site.origin}/videoplayer?reel=${ids[3]}`;
    expect(await page.evaluate(() => (window as unknown as { copied: string }).copied)).toBe(address);
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await copy.click();
    await dialog(page).getByText('Copy the selected link yourself').waitFor();
    const selected = () =>
      dialog(page)
        .getByLabel('Or send its link')
        .evaluate((field: HTMLInputElement) =>
          field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0),
        );
    await expect.poll(selected).toBe(address);
    await leave();
  });
});

describe('beside a video', () => {
  it('never shows the previous creator’s picture', async () => {
    const { page, leave } = await open();
    await visit(page, `/videoplayer?reel=${ids[3]}`);
    const avatar = await page.locator('.player-details a > :first-child').elementHandle();
    await next(page);
    await expect.poll(() => avatar?.evaluate((element) => element.isConnected)).toBe(false);
    await leave();
  });

  it('shows no button without a function', async () => {
    const { page, leave } = await open();
    await visit(page, `/videoplayer?reel=${ids[3]}`);
    const category = page.locator('.player-details').getByText('Cricket', { exact: true });
    await category.waitFor();
    const look = await category.evaluate((one) => {
      const { backgroundColor, backgroundImage, borderRadius, cursor } = getComputedStyle(one);
      return { backgroundColor, backgroundImage, borderRadius, cursor };
    });
    expect(look).toEqual({
      backgroundColor: 'rgba(0, 0, 0, 0)',
      backgroundImage: 'none',
      borderRadius: '0px',
      cursor: 'auto',
    });
    await leave();
  });
});
