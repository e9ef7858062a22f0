import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { furnishedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { contextOn } from '#testing/context.ts';
import { follow } from '#testing/fixtures/follows.ts';
import { publishStatus } from '#testing/fixtures/posts.ts';
import { copyReel } from '#testing/fixtures/reel-copies.ts';

const site = furnishedSite();
const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
/** On a phone seven rows. */
const reels = 14;

beforeAll(async () => {
  await publishStatus(site.db, site.data, site.creator.id, 'On the roof', new Date());
  await copyReel(site.db, site.data, site.reel, reels - 1);
});

const bar = (page: Page, name = 'Shortcuts') => page.getByRole('navigation', { name });
/** The labels below the icons. */
const captions = (page: Page, name?: string) =>
  bar(page, name).locator(':is(li > a, summary) > span:last-child').allInnerTexts();
const create = (page: Page) => page.locator('summary:visible', { hasText: 'Create' });
const isFocused = (page: Page, selector: string) =>
  page.evaluate((one) => document.activeElement?.matches(one), selector);

describe('Home begins with what people came for', () => {
  it('has stories, banner, reels, the four figures, reels, and the links to follow and to the stores, in the server’s page', async () => {
    const parts = async () => {
      const html = await (await fetch(`${site.origin}/`, { headers: { accept: 'text/html' } })).text();
      const markup = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
      const kinds = {
        story: `href="/story/${site.creator.id}"`,
        banner: 'aria-roledescription="carousel"',
        reel: 'href="/videoplayer?reel=',
        figures: '2.5k+',
        follow: 'Follow us<',
        stores: 'App Store',
      };
      return Object.entries(kinds)
        .flatMap(([kind, words]) =>
          [...markup.matchAll(new RegExp(words.replace(/[?+]/g, '\\$&'), 'g'))].map(({ index }) => ({
            kind,
            index,
          })),
        )
        .toSorted((one, other) => one.index - other.index)
        .map(({ kind }) => kind);
    };
    // A page may be cached for a second.
    const rows = (count: number) => Array.from({ length: 2 * count }, () => 'reel');
    await expect
      .poll(parts)
      .toEqual(['story', 'banner', ...rows(2), 'figures', ...rows(4), 'follow', 'stores', ...rows(1)]);
  });

  it.each(['en', 'hi'])(
    'has a banner of 148 px and its first reels at 340 px at the latest on a phone, and a banner of 180 px on a desktop, in %s [long]',
    async (locale) => {
      const { page, leave } = await site.open({ locale, viewport: phone });
      await visit(page, '/');
      const places = () =>
        page.evaluate(() => ({
          banner: document.querySelector('[aria-roledescription]')?.getBoundingClientRect().height,
          reels: document.querySelector('a[href^="/videoplayer?reel"]')?.getBoundingClientRect().top ?? 0,
        }));
      expect((await places()).banner).toBe(148);
      expect((await places()).reels).toBeLessThanOrEqual(340);
      // Whatever a slide says stays inside of the banner, above its dots.
      for (const width of [390, 320, 360, 640, 844, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const spilled = await page.evaluate(() => {
          const banner = document.querySelector('[aria-roledescription]')?.getBoundingClientRect();
          const dots = document.querySelector('[aria-roledescription] > .needs-script');
          const limit = innerWidth < 640 ? (dots?.getBoundingClientRect().top ?? 0) : (banner?.bottom ?? 0);
          return [...document.querySelectorAll('[role=group] :is(h2, a)')]
            .filter((part) => {
              const { top, bottom } = part.getBoundingClientRect();
              return top < (banner?.top ?? 0) || bottom > limit;
            })
            .map((part) => part.textContent);
        });
        expect(spilled, `at ${width} px`).toEqual([]);
      }
      await page.setViewportSize(desktop);
      expect((await places()).banner).toBe(180);
      await leave();
    },
  );

  it.each(['en', 'hi'])(
    'shows reels on the first screen of a phone on its side, and all words of a slide in the banner, in %s [long]',
    async (locale) => {
      const { page, leave } = await site.open({ locale, viewport: { width: 844, height: 390 } });
      await visit(page, '/');
      for (const width of [768, 844, 932]) {
        await page.setViewportSize({ width, height: 390 });
        const { reels, spilled } = await page.evaluate(() => {
          const banner = document.querySelector('[aria-roledescription]')?.getBoundingClientRect();
          const dots = document.querySelector('[aria-roledescription] > .needs-script > div');
          const limit = dots?.getBoundingClientRect().left ?? 0;
          return {
            reels: document.querySelector('a[href^="/videoplayer?reel"]')?.getBoundingClientRect().top,
            spilled: [...document.querySelectorAll('[role=group]:not([inert]) :is(h2, a)')]
              .filter((part) => {
                const { top, right, bottom } = part.getBoundingClientRect();
                const end = part.matches('a') ? limit : (banner?.right ?? 0);
                return top < (banner?.top ?? 0) || bottom > (banner?.bottom ?? 0) || right > end;
              })
              .map((part) => part.textContent),
          };
        });
        expect(reels, `at ${width} px`).toBeLessThanOrEqual(260);
        expect(spilled, `at ${width} px`).toEqual([]);
      }
      await leave();
    },
  );

  it('shows the figures after two rows of reels and the links after six, with any number of columns [long]', async () => {
    const { page, leave } = await site.open({ viewport: phone });
    await visit(page, '/');
    for (const [width, rows] of [
      [390, 7],
      [700, 5],
      [1280, 3],
      [2560, 2],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const above = await page.evaluate(() => {
        const tops = [...document.querySelectorAll('a[href^="/videoplayer?reel"]')].map(
          (tile) => tile.getBoundingClientRect().top,
        );
        return ['dl', '#follow-us'].map((part) => {
          const { top = 0 } = document.querySelector(part)?.getBoundingClientRect() ?? {};
          return new Set(tops.filter((one) => one < top)).size;
        });
      });
      expect(above, `at ${width} px`).toEqual([2, Math.min(6, rows)]);
    }
    await leave();
  });

  it('lets the Tab key follow the rows, also where there are more columns than on a phone [long]', async () => {
    const { page, leave } = await site.open({ viewport: desktop });
    await visit(page, '/');
    await page.locator('a[href^="/videoplayer?reel"]').last().focus();
    await page.keyboard.press('Tab');
    expect(await isFocused(page, '[aria-label="Follow us on Instagram"]')).toBe(true);
    await leave();
  });
});

describe('the bar at the foot of a phone', () => {
  it('leads a signed-in person to five places, and marks the current one', async () => {
    const { page, complaints, leave } = await site.open({ person: site.creator, viewport: phone });
    await visit(page, '/');
    await bar(page).waitFor();
    await expect.poll(() => captions(page)).toEqual(['Home', 'Search', 'Create', 'Notifications', 'Profile']);
    for (const item of await bar(page).locator('a:visible, summary:visible').all()) {
      const { width = 0, height = 0, y = 0 } = (await item.boundingBox()) ?? {};
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
      expect(y + height).toBe(phone.height);
    }
    for (const [name, address] of [
      ['Search', '/search'],
      ['Notifications', '/Activity'],
      ['Profile', '/UserProfile'],
      ['Home', '/'],
    ] as const) {
      await bar(page).getByRole('link', { name }).click();
      await arrive(page, address);
      const current = bar(page).locator('[aria-current=page] > span:last-child');
      await expect.poll(() => current.allInnerTexts()).toEqual([name]);
    }
    expect(complaints).toEqual([]);
    await leave();
  });

  it('offers a reel, a photo, a story and a link by Create, which Escape closes [long]', async () => {
    const { page, leave } = await site.open({ person: site.creator, viewport: phone });
    await visit(page, '/About');
    await create(page).focus();
    await page.keyboard.press('Enter');
    const kinds = bar(page).getByRole('list', { name: 'Create' }).getByRole('link');
    await kinds.first().waitFor();
    expect(
      await kinds.evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('href')])),
    ).toEqual([
      ['Reel', '/ReelPost'],
      ['Photo', '/PhotoPost'],
      ['Story', '/StoryPost'],
      ['From a link', '/ReelPostByLink'],
    ]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expect.poll(() => kinds.first().isVisible()).toBe(false);
    expect(await isFocused(page, 'summary')).toBe(true);
    await create(page).click();
    await kinds.filter({ hasText: 'Photo' }).click();
    await arrive(page, '/PhotoPost');
    await expect.poll(() => kinds.first().isVisible()).toBe(false);
    await leave();
  });

  it('has the number of unread notifications [long]', async () => {
    const star = await signUpAt(site.origin, 'bar.star');
    await follow(contextOn(site.db), site.fan.id, star.id);
    const { page, leave } = await site.open({ person: star, viewport: phone });
    await visit(page, '/About');
    const bell = bar(page).getByRole('link', { name: 'Notifications, 1 unread', exact: true });
    await bell.waitFor();
    await bell.click();
    await page.getByText('farid started following you').waitFor();
    await bar(page).getByRole('link', { name: 'Notifications', exact: true }).waitFor();
    await leave();
  });

  it('is not there for visitors, on a desktop, in the player and in a story [long]', async () => {
    const { page, leave } = await site.open({ viewport: phone });
    await visit(page, '/');
    expect(await bar(page).count()).toBe(0);
    await leave();
    const own = await site.open({ person: site.creator, viewport: phone });
    for (const path of [`/videoplayer?reel=${site.reel}`, `/story/${site.creator.id}`]) {
      await visit(own.page, path);
      expect(await bar(own.page).count(), path).toBe(0);
    }
    await visit(own.page, '/');
    await bar(own.page).waitFor();
    await own.page.setViewportSize(desktop);
    expect(await bar(own.page).count()).toBe(0);
    await own.leave();
  });

  it('covers nothing: the end of a page, a focused link and the menu of the header are above it [long]', async () => {
    const { page, leave } = await site.open({ person: site.creator, viewport: { width: 844, height: 390 } });
    await visit(page, '/');
    const top = async () => (await bar(page).boundingBox())?.y ?? 0;
    expect(await top()).toBeGreaterThan(340);
    const end = async (selector: string) => {
      const { y = 0, height = 0 } = (await page.locator(selector).last().boundingBox()) ?? {};
      return y + height;
    };
    await page.locator('header summary:visible').click();
    expect(await end('header .panel:visible')).toBeLessThanOrEqual(await top());
    await page.keyboard.press('Escape');
    await page.locator('a[href^="/videoplayer?reel"]').nth(3).focus();
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press('Tab');
      const hidden = await page.evaluate(() => {
        const { top, bottom } = document.activeElement?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
        return top >= innerHeight - 48 || bottom <= 64;
      });
      expect(hidden).toBe(false);
    }
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => end('footer a')).toBeLessThanOrEqual(await top());
    await leave();
  });

  it('has the money one tap behind Profile, without scrolling [long]', async () => {
    const { page, leave } = await site.open({ person: site.creator, viewport: phone });
    await visit(page, '/UserProfile');
    const link = page.getByRole('link', { name: 'Your Content Earning' });
    const { y = 0, height = 0 } = (await link.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(phone.height / 2 + 40);
    await link.click();
    await arrive(page, '/EarningDashboard');
    await leave();
  });

  it('speaks Hindi [long]', async () => {
    const { page, leave } = await site.open({ locale: 'hi', person: site.creator, viewport: phone });
    await visit(page, '/');
    await expect.poll(() => captions(page, 'शॉर्टकट')).toEqual(['होम', 'खोजें', 'बनाएँ', 'सूचनाएँ', 'प्रोफ़ाइल']);
    await page.locator('summary:visible', { hasText: 'बनाएँ' }).click();
    await bar(page, 'शॉर्टकट').getByRole('link', { name: 'लिंक से' }).click();
    await arrive(page, '/ReelPostByLink');
    await leave();
  });
});

describe('the header of a desktop', () => {
  it('has a search in its middle, which opens the results, also without a script [long]', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, complaints, leave } = await site.open({ javaScriptEnabled, viewport: desktop });
      if (javaScriptEnabled) await visit(page, '/About');
      else await page.goto('/About');
      const header = page.getByRole('banner');
      const links = await header.getByRole('navigation').boundingBox();
      const field = await header.getByRole('searchbox', { name: 'Search Jhalak' }).boundingBox();
      const login = await header.getByRole('link', { name: 'Login' }).boundingBox();
      expect(field?.x).toBeGreaterThan((links?.x ?? 0) + (links?.width ?? 0));
      expect((field?.x ?? 0) + (field?.width ?? 0)).toBeLessThan(login?.x ?? 0);
      await header.getByRole('searchbox').fill('farid');
      if (javaScriptEnabled) await page.keyboard.press('Enter');
      else await header.getByRole('button', { name: 'Search' }).click();
      await page.waitForURL('/search?q=farid');
      await page.locator('main a[href^="/user/"]').first().waitFor();
      expect(await page.getByRole('main').getByRole('searchbox').inputValue()).toBe('farid');
      expect(complaints).toEqual([]);
      await leave();
    }
  });

  it('has Create at the right of the search for a signed-in person, and not for a visitor [long]', async () => {
    const { page, leave } = await site.open({ viewport: desktop });
    await visit(page, '/About');
    expect(await create(page).count()).toBe(0);
    await leave();
    const own = await site.open({ person: site.creator, viewport: desktop });
    await visit(own.page, '/About');
    await create(own.page).click();
    const field = await own.page.getByRole('banner').getByRole('searchbox').boundingBox();
    const button = await create(own.page).boundingBox();
    expect(button?.x).toBeGreaterThan((field?.x ?? 0) + (field?.width ?? 0));
    await own.page.getByRole('link', { name: 'Story', exact: true }).click();
    await arrive(own.page, '/StoryPost');
    await own.leave();
  });
});

/** Each size in one of the themes: a phone, a desktop, a phone on its side, and the narrowest. */
const looks = [
  { theme: 'light', sizes: [phone, desktop] },
  {
    theme: 'dark',
    sizes: [
      { width: 844, height: 390 },
      { width: 320, height: 640 },
    ],
  },
] as const;

it.each(looks)(
  'Home with Create open is accessible in the $theme theme on two screens [long]',
  async ({ theme, sizes }) => {
    const { page, complaints, leave } = await site.open({
      person: site.creator,
      theme,
      viewport: sizes[0],
      reducedMotion: 'reduce',
    });
    await visit(page, '/');
    for (const size of sizes) {
      await page.setViewportSize(size);
      await create(page).click();
      expect(await violationsOf(page), `${size.width} px`).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${size.width} px`).toBeLessThanOrEqual(0);
      await page.keyboard.press('Escape');
    }
    expect(complaints).toEqual([]);
    await leave();
  },
);
