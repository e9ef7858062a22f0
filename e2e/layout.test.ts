import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { openVisitor, visit } from '#testing/browser/visitor.ts';
import { makeClip } from '#testing/fixtures/clips.ts';

const site = sharedSite();
const narrow = { width: 320, height: 640 };
const wide = { width: 1440, height: 900 };

async function open(viewport: typeof narrow, person?: { token: string; user: object }) {
  return openVisitor(site.browser, site.origin, { viewport, ...(person && { person }) });
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element is not displayed.');
  return box;
}

async function clip(): Promise<string> {
  const path = join(site.data, 'layout.mp4');
  await makeClip(path, { seconds: 1 });
  return path;
}

/** The lines of text in each of these elements, as widths in pixels from the first line to the last. */
const linesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const lines = new Map<number, { left: number; right: number }>();
      for (const { top, left, right, width } of range.getClientRects()) {
        if (width === 0) continue;
        const line = lines.get(Math.round(top)) ?? { left, right };
        lines.set(Math.round(top), {
          left: Math.min(line.left, left),
          right: Math.max(line.right, right),
        });
      }
      return {
        text: element.textContent,
        widths: [...lines].sort(([a], [b]) => a - b).map(([, { left, right }]) => right - left),
      };
    }),
  );

it('at a width of 320 px the four figures of Home share one line and no label breaks', async () => {
  const { page, leave } = await open(narrow);
  await visit(page, '/');
  const labels = await linesOf(page, 'main dl dt');
  expect(labels).toHaveLength(4);
  for (const { text, widths } of labels) expect(widths, `${text}`).toHaveLength(1);
  const figures = await page
    .locator('main dl dd')
    .evaluateAll((all) => all.map((figure) => figure.getBoundingClientRect().bottom));
  expect(new Set(figures).size).toBe(1);
  await leave();
});

it('a heading of several lines never ends in a line much shorter than the others', async () => {
  const { page, leave } = await open(narrow);
  let several = 0;
  for (const path of ['/About', '/EarningInfo', '/DownloadApp', '/DeleteUser', '/PrivacyPolicy']) {
    await visit(page, path);
    for (const { text, widths } of await linesOf(page, 'main h1, main h2, main h3')) {
      const last = widths.at(-1);
      if (widths.length < 2 || last === undefined) continue;
      several += 1;
      expect(last / Math.max(...widths), `${path}: ${text}`).toBeGreaterThan(0.4);
    }
  }
  expect(several).toBeGreaterThan(0);
  await leave();
});

it('the text of an empty drop zone is centered, on a phone and on a wide screen', async () => {
  const { page, leave } = await open(narrow, site.creator);
  await visit(page, '/ReelPost');
  for (const viewport of [narrow, wide]) {
    await page.setViewportSize(viewport);
    const words = page.getByText('Drop a video here', { exact: false }).locator('visible=true').first();
    const zone = await boxOf(words.locator('xpath=ancestor::*[contains(@class,"rounded-panel")][1]'));
    const box = await boxOf(words);
    expect(Math.abs(box.x + box.width / 2 - (zone.x + zone.width / 2))).toBeLessThan(1);
  }
  await leave();
});

it('on a wide screen “Add more” is aligned with “Publish”, and the list of languages has the arrow of the site, not that of the system', async () => {
  const { page, leave } = await open(wide, site.creator);
  await visit(page, '/ReelPost');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await clip());
  // The preview and its cover move both while the video is read.
  const places = async () => {
    const add = await boxOf(page.getByRole('button', { name: 'Add more' }));
    const publish = await boxOf(page.getByRole('button', { name: 'Publish' }));
    return {
      aligned: Math.abs(add.x - publish.x) < 1,
      below: add.y >= publish.y + publish.height,
    };
  };
  await page.getByAltText(/^Cover/).waitFor();
  await expect.poll(places).toEqual({ aligned: true, below: true });
  const style = await page.getByLabel('Language of the subtitles').evaluate((list) => {
    const { appearance, backgroundImage } = getComputedStyle(list);
    return { appearance, backgroundImage };
  });
  expect(style.appearance).toBe('none');
  expect(style.backgroundImage).toContain('svg');
  await leave();
});

it('on a wide screen every page has the width of a grid, a form or one column', async () => {
  const { page, leave } = await open(wide, site.creator);
  // In rem: the page, a grid, a form, a column, and what is inside them (web/ui/tokens.css).
  const allowed = [120, 80, 64, 37.5, 36, 28, 24];
  const paths = [
    '/',
    '/About',
    '/AllUsers',
    '/Category',
    '/EarningInfo',
    '/PrivacyPolicy',
    '/LinkDownloader',
  ];
  for (const path of [...paths, '/ReelPost', '/ShowPosts', '/UserProfile', '/Contact', '/Settings']) {
    await visit(page, path);
    const limits = await page
      .locator('main, main > *, main > * > div')
      .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).maxWidth));
    const widths = limits
      .filter((limit) => limit.endsWith('px'))
      .map((limit) => Number.parseFloat(limit) / 16);
    for (const width of widths) expect(allowed, path).toContain(width);
  }
  await leave();
});

it('with prefers-reduced-transparency, no page, dialog or player has a blur', async () => {
  const { page, leave } = await open(narrow);
  /** Elements with a blur of their own, or with a blur of what is behind them. */
  const blurred = () =>
    page.evaluate(() => {
      const looks = [...document.querySelectorAll('*')].flatMap((element) =>
        [undefined, '::backdrop'].map((part) => ({ element, look: getComputedStyle(element, part) })),
      );
      return looks
        .filter(({ look }) => [look.filter, look.backdropFilter].some((value) => value.includes('blur')))
        .map(({ element }) => element.outerHTML.slice(0, 100));
    });
  expect(await page.evaluate(() => matchMedia('(prefers-reduced-transparency: reduce)').matches)).toBe(true);
  await visit(page, '/Category');
  await page.getByRole('button', { name: /^Cricket/ }).click();
  await page.getByRole('dialog').waitFor();
  expect(await blurred()).toEqual([]);
  await visit(page, `/videoplayer?reel=${site.reel}`);
  await page.locator('.over-video').first().waitFor();
  expect(await blurred()).toEqual([]);
  await leave();
});
