import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { furnishedSite } from '#testing/browser/site.ts';
import { noteShifts, shiftsOf, type Visitor, visit } from '#testing/browser/visitor.ts';
import { publishStatus } from '#testing/fixtures/posts.ts';
import { someOf } from '#testing/share.ts';
import { siteRoutes } from './routes.ts';

const site = furnishedSite();
beforeAll(() => publishStatus(site.db, site.data, site.creator.id, 'On the roof', new Date()));

const widths = [768, 1280, 2560, 320];
/** Limits of width, in rem: the page, a grid, a form, a column, and what is inside them (web/ui/tokens.css). */
const limits = [120, 80, 64, 37.5, 36, 28, 24];
const routes = siteRoutes({
  personId: 'creator',
  reelId: 'clip',
  photoId: 'photo',
  reportNumber: 'number',
  decisionId: 'chosen',
}).flatMap((route) => [
  { ...route, who: 'a visitor' },
  ...(route.personal ? [{ ...route, who: 'a creator' }] : []),
]);

/** `npm test` opens a share of the pages, and a share of these on other screens than a phone's. */
const onPhones = someOf(routes, 10);
const onOtherScreens = someOf(onPhones, 3);

/** Rules that a theme can break. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** One visitor for each person and theme, shared by the tests: each visit loads a new document. */
const visitors = new Map<string, Promise<Visitor>>();
async function open(who: string, theme: 'light' | 'dark'): Promise<Visitor> {
  const visitor = await site.open({ theme, ...(who === 'a creator' ? { person: site.creator } : {}) });
  await noteShifts(visitor.page);
  return visitor;
}

/** Words that begin on one line and end on another. */
const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.checkVisibility() || node.parentElement.closest('script, style, .sr-only'))
        continue;
      for (const word of (node.textContent ?? '').matchAll(/[\p{L}\p{M}\p{N}]{2,16}/gu)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const tops = [...range.getClientRects()]
          .filter(({ width }) => width > 0)
          .map(({ top }) => Math.round(top / 4));
        if (Math.max(...tops) - Math.min(...tops) > 2)
          found.push(`${word[0]} in “${node.textContent?.slice(0, 60)}”`);
      }
    }
    return found;
  });

/** Headings of several lines that end in a line much shorter than the others. */
const raggedHeadings = (page: Page) =>
  page.locator('main :is(h1, h2, h3)').evaluateAll((headings) =>
    headings.flatMap((heading) => {
      const range = document.createRange();
      range.selectNodeContents(heading);
      const lines = new Map<number, { left: number; right: number }>();
      for (const { top, left, right, width } of range.getClientRects()) {
        if (width === 0) continue;
        const line = lines.get(Math.round(top)) ?? { left, right };
        lines.set(Math.round(top), {
          left: Math.min(line.left, left),
          right: Math.max(line.right, right),
        });
      }
      const lengths = [...lines].sort(([a], [b]) => a - b).map(([, { left, right }]) => right - left);
      const last = lengths.at(-1) ?? 0;
      return lengths.length > 1 && last / Math.max(...lengths) <= 0.4 ? [heading.textContent] : [];
    }),
  );

describe.each(routes)('$path for $who', (route) => {
  const { path, status = 200, who, unstored = false } = route;
  const address = () =>
    path
      .replace('/creator', `/${site.creator.id}`)
      .replace('/clip', `/${site.reel}`)
      .replace('/photo', `/${site.photo}`)
      .replace('/number', `/${site.reportNumber}`)
      .replace('/chosen', `/${site.decisionId}`);

  /** Shows the page, which then has no pending work; expects that its script has not failed and that nothing has moved. */
  async function show(options: {
    theme: 'light' | 'dark';
    lang: string;
    viewport: { width: number; height: number };
    reducedMotion: 'reduce' | 'no-preference';
  }): Promise<Page> {
    const { theme, lang, viewport, reducedMotion } = options;
    const opened = visitors.get(`${who}, ${theme}`) ?? open(who, theme);
    visitors.set(`${who}, ${theme}`, opened);
    const { page, complaints } = await opened;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion });
    complaints.length = 0;
    await visit(page, `${address()}${path.includes('?') ? '&' : '?'}lang=${lang}`);
    await page.evaluate(() => document.fonts.ready);
    expect.soft(await shiftsOf(page), 'layout shifts').toEqual([]);
    // The browser itself logs an error for a 404.
    const errors = complaints.filter((words) => !(status === 404 && words.includes('404')));
    expect.soft(errors, 'errors of the console').toEqual([]);
    return page;
  }

  it('is rendered completely by the server', async () => {
    const response = await fetch(`${site.origin}${address()}`, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(status);
    const html = await response.text();
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html).toMatch(/<h1/);
    if (status === 404) return;
    expect(html).toMatch(/<link rel="canonical" href="http/);
    expect(html).toMatch(/<meta name="description" content="[^"]{20,}/);
    expect(html).toMatch(/<meta property="og:image" content="http/);
    expect(response.headers.get('cache-control')).toContain(unstored ? 'no-store' : 'public');
  });

  if (!onPhones.includes(route)) return;

  it('on a phone has no layout shift, axe violation, overflow, broken word, ragged heading or console error', async () => {
    const phone = { width: 390, height: 844 };
    const page = await show({ theme: 'light', lang: 'en', viewport: phone, reducedMotion: 'reduce' });
    expect.soft(await violationsOf(page)).toEqual([]);
    const ids = await page
      .locator('[id]')
      .evaluateAll((all) => all.map((one) => one.id).filter((id, place, ids) => ids.indexOf(id) !== place));
    expect.soft(ids, 'ids that several elements have').toEqual([]);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const { overflow, first, limited } = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - innerWidth,
        first: document.querySelector('main > :first-child')?.getBoundingClientRect().width ?? 0,
        limited: [...document.querySelectorAll('main, main > *, main > * > div')]
          .map((element) => getComputedStyle(element).maxWidth)
          .filter((limit) => limit.endsWith('px'))
          .map((limit) => Number.parseFloat(limit) / 16),
      }));
      expect.soft(overflow, `overflow at ${width} px`).toBeLessThanOrEqual(0);
      if (width !== 2560 || status !== 200) continue;
      expect.soft([2560, 1920, 1280, 1024, 600], 'the width of the page').toContain(first);
      expect.soft(limits, 'limits of width').toEqual(expect.arrayContaining(limited));
    }
    expect.soft(await raggedHeadings(page), 'ragged headings at 320 px').toEqual([]);
    expect(await brokenWords(page), 'words broken at 320 px').toEqual([]);
  });

  if (!onOtherScreens.includes(route)) return;

  it('in Hindi and dark on a phone on its side has none of these either', async () => {
    const onItsSide = { width: 844, height: 390 };
    const page = await show({ theme: 'dark', lang: 'hi', viewport: onItsSide, reducedMotion: 'reduce' });
    expect.soft(await page.locator('body.dark').count(), 'the theme is a class of the body').toBe(1);
    expect.soft(await page.locator('html').getAttribute('lang')).toBe('hi');
    expect.soft(await violationsOf(page, colourRules)).toEqual([]);
    for (const width of [844, 320]) {
      await page.setViewportSize({ width, height: 390 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(overflow, `overflow at ${width} px`).toBeLessThanOrEqual(0);
    }
    expect(await brokenWords(page), 'words broken at 320 px').toEqual([]);
  });

  it('on a desktop has no layout shift or console error', async () => {
    const desktop = { width: 1280, height: 844 };
    await show({ theme: 'light', lang: 'en', viewport: desktop, reducedMotion: 'no-preference' });
  });
});
