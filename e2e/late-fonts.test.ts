import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openBrowser } from '#testing/browser/browser.ts';
import { furnishedSite } from '#testing/browser/site.ts';
import { noteShifts, openVisitor, shiftsOf, visit } from '#testing/browser/visitor.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { isWhole } from '#testing/share.ts';

const site = furnishedSite();

const screens = [
  { screen: 'a phone', viewport: { width: 390, height: 844 } },
  { screen: 'a desktop', viewport: { width: 1280, height: 800 } },
];
/** Each language on one of the screens; on both in `test:long`. */
const looks = ['en', 'hi'].flatMap((lang, place) =>
  screens
    .filter((_, other) => isWhole || other === place)
    .map(({ screen, viewport }) => ({ lang, screen, viewport, place })),
);
/** Each page in one of the languages; in both in `test:long`. */
const paths = ['/', '/About', '/AllUsers', '/Category', '/EarningDashboard', '/EarningInfo', '/SignupForm'];

const hasOwnDevanagari = (page: Page) =>
  page.evaluate(async () => {
    const own = new FontFace('Own', 'local("NotoSansDevanagari-Regular")');
    return own.load().then(
      () => true,
      () => false,
    );
  });
/** When the font for Devanagari arrived, in milliseconds of the page. */
async function arrivalOf(page: Page): Promise<number> {
  const font = await page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return entries.find(({ name }) => name.includes('devanagari'))?.responseEnd;
  });
  if (!font) throw new Error('The font for Devanagari did not arrive.');
  return font;
}
/** When a shift happened, in milliseconds of the page. */
const timeOf = (shift: string) => Number(/ at (\d+):/.exec(shift)?.[1] ?? 0);

describe('a page whose fonts arrive after two seconds', () => {
  it.each(looks)(
    'moves nothing in $lang on $screen, except where boxes become letters',
    async ({ lang, viewport, place }) => {
      const pages = paths.filter((_, nth) => isWhole || nth % 2 === place);
      await Promise.all(
        pages.map(async (path) => {
          const { page, leave } = await site.open({ viewport, reducedMotion: 'reduce' });
          await noteShifts(page);
          await page.route('**/*.woff2', async (route) => {
            await wait(2000);
            await route.continue();
          });
          const arrives = page.waitForResponse(/\.woff2/);
          await visit(page, `${path}?lang=${lang}`);
          await arrives;
          await page.evaluate(() => document.fonts.ready);
          // Two frames later, what the font would have moved has moved.
          await page.evaluate(
            () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
          );
          const all = await shiftsOf(page);
          // A device without letters for Hindi has boxes until the font is there, and then moves once.
          const isDrawnAnew = lang === 'hi' && !(await hasOwnDevanagari(page));
          const arrival = isDrawnAnew ? await arrivalOf(page) : Number.POSITIVE_INFINITY;
          const shifts = all.filter((shift) => timeOf(shift) < arrival);
          expect({ path, shifts }).toEqual({ path, shifts: [] });
          expect(all.length, all.join()).toBeLessThanOrEqual(isDrawnAnew ? 1 : 0);
          expect(await page.evaluate(() => getComputedStyle(document.body).visibility)).toBe('visible');
          await leave();
        }),
      );
    },
  );
});

describe('the font for Devanagari', () => {
  const preloads = async (path: string) => (await fetch(`${site.origin}${path}`)).headers.get('link') ?? '';

  it('is preloaded by pages in Hindi only; an English page asks for it on a device without such letters', async () => {
    await publishPicture(site.db, site.data, site.creator.id, 'पहाड़ों में सुबह', new Date());
    expect(await preloads('/ShowPosts?lang=hi')).toMatch(
      /^<\/assets\/anek-devanagari-[^>]+\.woff2>; rel=preload; as=font/,
    );
    expect(await preloads('/ShowPosts?lang=en')).toBe('');
    const { page, leave } = await site.open();
    const fonts: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.woff2')) fonts.push(request.url());
    });
    await visit(page, '/ShowPosts?lang=en');
    await page.getByText('पहाड़ों में सुबह').first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    expect(fonts.some((font) => font.includes('devanagari'))).toBe(!(await hasOwnDevanagari(page)));
    await leave();
  });

  it('draws them as soon as it arrives, without a touch, on a device that has none of its own', async () => {
    const name = 'गौरी';
    const body = { name, username: 'gauri', email: 'gauri@people.example', password: 'a long password' };
    const { status } = await site.creator.send('POST', '/api/signup', { ...body, cpassword: body.password });
    expect(status).toBe(200);
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-fonts-'));
    const fontconfig = join(folder, 'fonts.conf');
    const latinOnly = '<dir>/usr/share/fonts/truetype/liberation</dir>';
    await writeFile(fontconfig, `<?xml version="1.0"?><fontconfig>${latinOnly}</fontconfig>`);
    const browser = await openBrowser({ fontconfig });
    const { page } = await openVisitor(browser, site.origin);
    await page.route('**/*.woff2', async (route) => {
      await wait(2000);
      await route.continue();
    });
    await visit(page, '/AllUsers?lang=en');
    const session = await page.context().newCDPSession(page);
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const fontsOf = async () => {
      const { root } = await session.send('DOM.getDocument', { depth: -1 });
      await page.getByText(name, { exact: true }).evaluate((one) => one.setAttribute('id', 'gauri'));
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#gauri' });
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
      return fonts.map(({ familyName, isCustomFont }) => `${familyName} ${isCustomFont}`);
    };
    await expect.poll(fontsOf).toEqual([expect.stringMatching(/^Anek Devanagari.* true$/)]);
    await browser.close();
    await rm(folder, { recursive: true });
  });
});
