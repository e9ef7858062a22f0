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

/** The number of lines of text in each of these elements. */
const linesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
      return new Set(rects.map(({ top }) => Math.round(top))).size;
    }),
  );

it('at a width of 320 px the four figures of Home share one line and no label breaks', async () => {
  const { page, leave } = await open(narrow);
  await visit(page, '/');
  expect(await linesOf(page, 'main dl dt')).toEqual([1, 1, 1, 1]);
  const figures = await page
    .locator('main dl dd')
    .evaluateAll((all) => all.map((figure) => figure.getBoundingClientRect().bottom));
  expect(new Set(figures).size).toBe(1);
  await leave();
});

it('the upload of a reel has the text of its drop zone in the middle, “Add more” below the bar of “Publish” on a wide screen, and a list with the arrow of the site', async () => {
  const { page, leave } = await open(narrow, site.creator);
  await visit(page, '/ReelPost');
  for (const viewport of [narrow, wide]) {
    await page.setViewportSize(viewport);
    const words = page.getByText('Drop a video here', { exact: false }).locator('visible=true').first();
    const zone = await boxOf(words.locator('xpath=ancestor::*[contains(@class,"rounded-panel")][1]'));
    const box = await boxOf(words);
    expect(Math.abs(box.x + box.width / 2 - (zone.x + zone.width / 2))).toBeLessThan(1);
  }
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await clip());
  // The preview and its cover move both while the video is read.
  const places = async () => {
    const add = await boxOf(page.getByRole('button', { name: 'Add more' }));
    const bar = await boxOf(page.getByRole('button', { name: 'Publish' }).locator('xpath=..'));
    return {
      aligned: Math.abs(add.x - bar.x) < 1,
      below: add.y >= bar.y + bar.height,
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

it.each([
  ['/ReelPost', 'Select a video'],
  ['/PhotoPost', 'Select a photo'],
  ['/StoryPost', 'Select a photo'],
])(
  'on a phone on its side %s shows the button that opens the picker, above the bar at the foot',
  async (path, name) => {
    const { page, leave } = await open({ width: 844, height: 390 }, site.creator);
    await visit(page, path);
    const button = await boxOf(page.getByRole('button', { name }));
    const foot = await boxOf(page.getByRole('navigation', { name: 'Shortcuts' }));
    expect(button.y + button.height).toBeLessThanOrEqual(foot.y);
    await leave();
  },
);

it.each([
  { width: 390, height: 844 },
  { width: 844, height: 390 },
])(
  'at $width × $height the dialog that reports shows its reasons and the button that sends',
  async (viewport) => {
    const { page, leave } = await open(viewport);
    await visit(page, `/post/${site.photo}`);
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const send = await boxOf(dialog.getByRole('button', { name: 'Send report' }));
    expect(send.y + send.height).toBeLessThanOrEqual(viewport.height);
    const first = await boxOf(dialog.getByRole('radio').first());
    expect(first.y + first.height).toBeLessThan(send.y);
    await leave();
  },
);

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
