import { describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { furnishedSite } from '#testing/browser/site.ts';
import { noteShifts, shiftsOf, type VisitorOptions, visit } from '#testing/browser/visitor.ts';
import { someOf } from '#testing/share.ts';
import { siteRoutes } from './routes.ts';

const site = furnishedSite();

const widths = [320, 768, 1280, 2560];
const routes = siteRoutes('creator').flatMap((route) => [
  { ...route, who: 'a visitor' },
  ...(route.personal ? [{ ...route, who: 'a creator' }] : []),
]);

/** A wide screen seldom shifts where a phone does not: a third of the pages, all of them in `test:long`. */
const openedWide = someOf(routes, 20);

/** Rules that a theme can break. */
const colourRules = ['color-contrast', 'link-in-text-block'];
describe.each(routes)('$path for $who', (route) => {
  const { path, status = 200, who } = route;
  const address = () => path.replace('/creator', `/${site.creator.id}`);

  /** The loaded page, without pending work. */
  async function open(options: VisitorOptions) {
    const visitor = await site.open({ ...options, ...(who === 'a creator' ? { person: site.creator } : {}) });
    await noteShifts(visitor.page);
    await visit(visitor.page, address());
    await visitor.page.evaluate(() => document.fonts.ready);
    return visitor;
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
    expect(response.headers.get('cache-control')).toContain('public');
  });

  if (openedWide.includes(route))
    it('has no layout shift on a wide screen', async () => {
      const { page, leave } = await open({ viewport: { width: 1280, height: 844 } });
      expect(await shiftsOf(page)).toEqual([]);
      await leave();
    });

  it('on a phone has no layout shift, axe violation, overflow or console error', async () => {
    const { page, complaints, leave } = await open({
      reducedMotion: 'reduce',
      viewport: { width: 390, height: 844 },
    });
    expect(await shiftsOf(page)).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    // The theme is a class of the body (specification §2 Header), and changes only colours.
    await page.evaluate(() => document.body.classList.replace('light', 'dark'));
    expect(await violationsOf(page, colourRules)).toEqual([]);
    const ids = await page
      .locator('[id]')
      .evaluateAll((all) => all.map((one) => one.id).filter((id, place, ids) => ids.indexOf(id) !== place));
    expect(ids).toEqual([]);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
    // As wide as the window, a grid, a form or one column (web/ui/tokens.css).
    const { width = 0 } = (await page.locator('main > :first-child').boundingBox()) ?? {};
    if (status === 200) expect([2560, 1920, 1280, 1024, 600]).toContain(width);
    // The browser itself logs an error for a 404.
    expect(complaints.filter((words) => !(status === 404 && words.includes('404')))).toEqual([]);
    await leave();
  });
});
