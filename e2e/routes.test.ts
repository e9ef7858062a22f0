import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, signUpAt } from '../testing/api-client.ts';
import { openBrowser } from '../testing/browser.ts';
import { makeClip } from '../testing/clips.ts';
import { dataFolder, type Program, startProgram } from '../testing/program.ts';
import { databaseOf, publishPicture } from '../testing/society.ts';
import { openVisitor, visit } from '../testing/visitor.ts';
import { siteRoutes } from './routes.ts';

let data: Awaited<ReturnType<typeof dataFolder>>;
let program: Program;
let browser: Browser;
let creator: Client;

beforeAll(async () => {
  data = await dataFolder();
  [program, browser] = await Promise.all([startProgram({ DATA_DIR: data.path }), openBrowser()]);
  creator = await signUpAt(program.origin, 'zoya');
  const db = await databaseOf(data.path);
  await publishPicture(db, data.path, creator.id, 'A photo', new Date());
  await db.destroy();
  const clip = join(data.path, 'clip.mp4');
  await makeClip(clip, { seconds: 2, source: 'testsrc2=size=270x480:rate=25' });
  await creator.publish(clip, 'A glimpse');
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await data?.remove();
});

const widths = [320, 768, 1280, 2560];
const routes = siteRoutes('creator').flatMap((route) => [
  { ...route, who: 'a visitor' },
  ...(route.personal ? [{ ...route, who: 'a creator' }] : []),
]);

describe.each(routes)('$path for $who', ({ path, status = 200, who }) => {
  const address = () => path.replace('/user/creator', `/user/${creator.id}`);

  it('is told whole by the server', async () => {
    const response = await fetch(`${program.origin}${address()}`, { headers: { accept: 'text/html' } });
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

  it('pleases axe in both themes, fits every width, and complains of nothing', async () => {
    const { page, complaints, leave } = await openVisitor(browser, program.origin, {
      reducedMotion: 'reduce',
      viewport: { width: 390, height: 844 },
      ...(who === 'a creator' ? { person: creator } : {}),
    });
    await visit(page, address());
    for (const theme of ['light', 'dark']) {
      // The theme is a class of the body (specification §2 Header).
      await page.evaluate((name) => {
        document.body.classList.replace('light', name);
        // Two frames on, it is what is seen.
        return new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
      }, theme);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id, nodes }) => `${theme} ${id}: ${nodes[0]?.html} ${nodes[0]?.any[0]?.message}`),
      ).toEqual([]);
    }
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
    // The browser itself notes that a page is a 404.
    expect(complaints.filter((words) => !(status === 404 && words.includes('404')))).toEqual([]);
    await leave();
  });
});
