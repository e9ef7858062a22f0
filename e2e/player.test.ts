import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { emptySite } from '#testing/browser/site.ts';
import { arrive, type VisitorOptions, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { copyReel } from '#testing/fixtures/reel-copies.ts';
import { changeWorks } from '#testing/fixtures/works.ts';

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
  await changeWorks(site.db, (trx) =>
    trx
      .updateTable('reels')
      .set({ categories: ['cricket'] })
      .where('id', '=', ids[3] ?? '')
      .execute(),
  );
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

  it('a reel opened by its link leads to Home by Back, also after others', async () => {
    const { page, leave } = await open();
    await visit(page, `/videoplayer?reel=${ids[3]}`);
    await plays(page);
    await next(page);
    await page.getByRole('button', { name: 'Back' }).click();
    await arrive(page, '/');
    await leave();
  });

  it('a reel opened by its link is followed by the whole feed, each reel once [long]', async () => {
    const { page, leave } = await open();
    const middle = ids[25] ?? '';
    await visit(page, `/videoplayer?reel=${middle}`);
    const others = ids.filter((id) => id !== middle);
    expect(await walk(page, ids.length)).toEqual([middle, ...others, middle]);
    await leave();
  });

  it('the reels of a profile are followed by more of the same person, and Back leads to the profile [long]', async () => {
    const { page, leave } = await open();
    await visit(page, `/user/${zoya.id}`);
    await page.getByRole('tabpanel').getByRole('link').first().click();
    await arrive(page, /\/videoplayer\?reel=/);
    await plays(page);
    // A profile sorts by upload, the feed by publication.
    const own = [...ids.slice(1, -1), ids[0]];
    expect(await walk(page, own.length)).toEqual([...own, own[0]]);
    await page.getByRole('button', { name: 'Back' }).click();
    await arrive(page, `/user/${zoya.id}`);
    await leave();
  });

  it('waits for a slow page, and retries a failed one without losing the position [long]', async () => {
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

describe('the player without a reel in its address', () => {
  const upToDate = (page: Page) => page.getByText("You're up to date");
  const button = (page: Page, name: string) => page.getByRole('button', { name });
  const seen = (page: Page, reels: string[]) =>
    page.addInitScript(
      (stored) => localStorage.getItem('reels.seen') ?? localStorage.setItem('reels.seen', stored),
      JSON.stringify(reels.map((id) => [id, Date.now()])),
    );

  it('starts at the first reel that was not seen, says after the last one that there are no more, and goes on with older ones', async () => {
    const { page, complaints, leave } = await open();
    // The newest page of the list is seen but for one, and so are others of the next one.
    const isNew = [ids[5], ids[26]];
    const older = ids.filter((id) => !isNew.includes(id));
    await seen(page, older);
    await visit(page, '/videoplayer');
    await arrive(page, `/videoplayer?reel=${isNew[0]}`);
    await plays(page);
    await next(page);
    expect(reelOf(page)).toBe(isNew[1]);
    await button(page, 'Next video').focus();
    await page.keyboard.press('Enter');
    await upToDate(page).waitFor();
    await button(page, 'Watch earlier reels again').and(page.locator(':focus')).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await onScreen(page).evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
    // Back to the last new one, and again to the end.
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => upToDate(page).count()).toBe(0);
    await button(page, 'Next video').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await upToDate(page).waitFor();
    await page.keyboard.press('Enter');
    await arrive(page, `/videoplayer?reel=${older[0]}`);
    await plays(page);
    await next(page);
    expect(reelOf(page)).toBe(older[1]);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('says at once if all were seen; one that is opened from its tile is shown all the same [long]', async () => {
    const { page, leave } = await open();
    await seen(page, ids);
    await visit(page, '/videoplayer?lang=hi');
    await page.getByText('आपने सब नया देख लिया').waitFor();
    // A double tap goes on, and means no reel that was not on the screen.
    await page.locator('.stage').dblclick({ position: { x: 150, y: 150 } });
    await arrive(page, `/videoplayer?reel=${ids[0]}`);
    await plays(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await visit(page, '/?lang=en');
    await page.locator(`a[href="/videoplayer?reel=${ids[1]}"]`).click();
    await arrive(page, `/videoplayer?reel=${ids[1]}`);
    await plays(page);
    expect(await upToDate(page).count()).toBe(0);
    await leave();
  });
});

describe('at the end of a video', () => {
  it('a reel that ends repeats, or with autoplay on the next one follows, until it is switched off [long]', async () => {
    const { page, complaints, leave } = await open();
    await visit(page, `/videoplayer?reel=${ids[3]}`);
    await plays(page);
    const loops = () => onScreen(page).evaluate((video: HTMLVideoElement) => video.loop);
    expect(await loops()).toBe(true);
    const choose = async () => {
      await page.locator('summary[aria-label="More"]').click();
      await page.getByRole('button', { name: 'Play the next reel by itself' }).click();
    };
    await choose();
    // Clips of two seconds.
    await arrive(page, `/videoplayer?reel=${ids[1]}`);
    await page.reload();
    await expect.poll(loops).toBe(false);
    await choose();
    await expect.poll(loops).toBe(true);
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('a video that does not load [long]', () => {
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
    await page.clock.install();
    await openReel(page);
    await plays(page);
    await page.context().setOffline(true);
    await page.route(media, (route) => route.abort('internetdisconnected'));
    // Preloaded videos may still play; others wait.
    for (let moves = 0; moves < 4; moves += 1) await next(page);
    const here = reelOf(page);
    const words = page.getByText("You're offline. The video continues when you're back online.");
    await words.waitFor();
    // Longer than it takes to skip a broken one.
    await page.clock.fastForward(4000);
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

  it('with a file that is no video is skipped once; the next such video waits for the person', async () => {
    const { page, leave } = await open();
    await page.clock.install();
    await page.route(media, (route) =>
      route.fulfill({ status: 200, contentType: 'video/mp4', body: 'not a video' }),
    );
    await openReel(page);
    await page.getByText("This video can't be played. Moving on to the next one.").waitFor();
    await arrive(page, `/videoplayer?reel=${ids[0]}`);
    await page.getByText("This video can't be played.", { exact: true }).waitFor();
    // Longer than it takes to skip one.
    await page.clock.fastForward(4000);
    expect(reelOf(page)).toBe(ids[0]);
    await page.unroute(media);
    await page.locator('.player-hold-up').getByRole('button', { name: 'Next video' }).click();
    await expect.poll(() => reelOf(page)).toBe(ids[1]);
    await plays(page);
    await leave();
  });
});

describe('on a phone that saves power or data [long]', () => {
  /** The browser refuses to play, also muted, until a button is pressed. */
  const refuse = (page: Page) =>
    page.addInitScript(() => {
      const play = HTMLMediaElement.prototype.play;
      const asked: string[] = [];
      Object.assign(window, { asked });
      HTMLMediaElement.prototype.play = function refusing() {
        if (navigator.userActivation.isActive && window.event?.type === 'click') return play.call(this);
        asked.push(this.muted ? 'muted' : 'loud');
        return Promise.reject(new DOMException('Saving power.', 'NotAllowedError'));
      };
    });
  const asked = (page: Page) => page.evaluate(() => (window as unknown as { asked: string[] }).asked);
  const playButton = (page: Page) => page.getByRole('button', { name: 'Play', exact: true });

  it('a refused video waits for a press of the play button, no video is skipped, and the next one is tried again', async () => {
    const { page, leave } = await open();
    await page.clock.install();
    await refuse(page);
    await visit(page, `/videoplayer?reel=${ids[3]}`);
    await playButton(page).waitFor();
    expect((await asked(page)).slice(0, 2)).toEqual(['loud', 'muted']);
    // Longer than it takes to skip a broken one.
    await page.clock.fastForward(4000);
    expect(reelOf(page)).toBe(ids[3]);
    const before = (await asked(page)).length;
    await next(page);
    await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(before);
    await playButton(page).click();
    await plays(page);
    expect(await onScreen(page).evaluate((video: HTMLVideoElement) => video.muted)).toBe(false);
    await expect.poll(() => playButton(page).count()).toBe(0);
    await leave();
  });

  it('a video that the system pauses shows the play button, and plays when the page is shown again', async () => {
    const { page, leave } = await open();
    await visit(page, `/videoplayer?reel=${ids[3]}`);
    await plays(page);
    const isPaused = () => onScreen(page).evaluate((video: HTMLVideoElement) => video.paused);
    const setVisibility = (state: 'hidden' | 'visible') =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { get: () => value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await onScreen(page).evaluate((video: HTMLVideoElement) => video.pause());
    await playButton(page).click();
    await expect.poll(isPaused).toBe(false);
    await setVisibility('hidden');
    await onScreen(page).evaluate((video: HTMLVideoElement) => video.pause());
    await setVisibility('visible');
    await expect.poll(isPaused).toBe(false);
    expect(await playButton(page).count()).toBe(0);
    await leave();
  });
});

describe('a reel of a profile [long]', () => {
  it('plays at the first tap, with sound', async () => {
    const { page, leave, complaints } = await open({ hasTouch: true, isMobile: true });
    await visit(page, `/user/${zoya.id}`);
    await page.getByRole('tabpanel').getByRole('link').first().tap();
    await arrive(page, /\/videoplayer\?reel=/);
    await plays(page);
    expect(await onScreen(page).evaluate(({ muted }: HTMLVideoElement) => muted)).toBe(false);
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('the link of a deleted reel [long]', () => {
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

describe('an action that only the app has [long]', () => {
  const dialog = (page: Page) => page.getByRole('dialog');

  it('is named in the popup, in both languages', async () => {
    const { page, leave } = await open();
    for (const [lang, button, words] of [
      ['en', 'likes', 'To like this reel, open it in the Jhalak app.'],
      ['en', 'comments', 'To comment on this reel, open it in the Jhalak app.'],
      ['en', 'shares', 'To share this reel, open it in the Jhalak app.'],
      ['en', 'views?$', /^[\d,]+ views? · published \d{1,2} \w{3} \d{4}$/],
      ['hi', 'लाइक', 'इस रील को लाइक करने के लिए इसे झलक ऐप में खोलें।'],
      ['hi', 'शेयर', 'इस रील को शेयर करने के लिए इसे झलक ऐप में खोलें।'],
    ] as const) {
      const address = `/videoplayer?reel=${ids[3]}&lang=${lang}`;
      if (!page.url().endsWith(address)) await visit(page, address);
      await page
        .locator('.player-rail')
        .getByRole('button', { name: new RegExp(button) })
        .click();
      await dialog(page).getByText(words).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog(page).count()).toBe(0);
    }
    await leave();
  });

  it('a double tap on the video offers the app for likes, and the video continues after it [long]', async () => {
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

  it('title and both stores are visible on a phone, upright and on its side, without a code to scan [long]', async () => {
    const { page, leave } = await open({ hasTouch: true, isMobile: true });
    await visit(page, `/videoplayer?reel=${ids[3]}`);
    const [upright, onItsSide] = [
      { width: 390, height: 844 },
      { width: 844, height: 390 },
    ];
    for (const [viewport, action] of [
      [upright, 'likes'],
      [upright, 'share'],
      [onItsSide, 'likes'],
      [onItsSide, 'share'],
    ] as const) {
      await page.setViewportSize(viewport);
      await page
        .locator('.player-rail')
        .getByRole('button', { name: new RegExp(action) })
        .tap();
      const parts = [
        dialog(page).getByRole('heading'),
        dialog(page).getByRole('link', { name: 'Google Play' }),
        dialog(page).getByRole('link', { name: 'App Store' }),
        ...(action === 'share' ? [dialog(page).getByRole('button', { name: 'Copy link' })] : []),
      ];
      for (const part of parts) {
        const { y = -1, height = 0 } = (await part.boundingBox()) ?? {};
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y + height).toBeLessThanOrEqual(viewport.height);
      }
      expect(await dialog(page).getByRole('img', { name: /QR/ }).isVisible()).toBe(false);
      const { scrolls, shown } = await dialog(page).evaluate(({ scrollHeight, clientHeight }) => ({
        scrolls: scrollHeight,
        shown: clientHeight,
      }));
      expect(scrolls).toBe(shown);
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog(page).count()).toBe(0);
    }
    await leave();
  });

  it('the link of a reel is copied, or selected where the browser does not allow copying [long]', async () => {
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

describe('the popup for the app shows [long]', () => {
  const open1280 = async (action: RegExp) => {
    const visitor = await open({ viewport: { width: 1280, height: 800 } });
    await visit(visitor.page, `/videoplayer?reel=${ids[3]}`);
    await visitor.page.locator('.player-rail').getByRole('button', { name: action }).click();
    return { ...visitor, popup: visitor.page.getByRole('dialog') };
  };

  it('how to share: WhatsApp, the link and its QR code', async () => {
    const { popup, leave } = await open1280(/share/);
    const address = `${site.origin}/videoplayer?reel=${ids[3]}`;
    const whatsApp = popup.getByRole('link', { name: 'Send on WhatsApp' });
    expect(await whatsApp.getAttribute('href')).toBe(`https://wa.me/?text=${encodeURIComponent(address)}`);
    expect(await popup.getByLabel('Or send its link').inputValue()).toBe(address);
    await popup.getByRole('img', { name: 'QR code of this link' }).waitFor();
    await leave();
  });

  it('all counts, if views are pressed', async () => {
    const { popup, leave } = await open1280(/views?$/);
    await expect
      .poll(() => popup.getByRole('listitem').allTextContents())
      .toEqual(['0 likes', '0 comments', '0 shares']);
    await leave();
  });
});

describe('beside a video [long]', () => {
  it('shows no button without a function, and never the previous creator’s picture', async () => {
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
    const avatar = await page.locator('.player-details a').first().elementHandle();
    await next(page);
    await expect.poll(() => avatar?.evaluate((element) => element.isConnected)).toBe(false);
    await leave();
  });
});
