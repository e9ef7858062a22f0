import { expect, it } from 'vitest';
import { openBrowser } from '#testing/browser/browser.ts';
import { furnishedSite } from '#testing/browser/site.ts';
import { openVisitor, visit } from '#testing/browser/visitor.ts';

const site = furnishedSite();

it('an open dialog covers the window and shifts nothing on a page with a scroll bar', async () => {
  const browser = await openBrowser({ scrollBars: true });
  const { page, leave } = await openVisitor(browser, site.origin, { viewport: { width: 1280, height: 500 } });
  await visit(page, '/Category');
  const measured = () =>
    page.evaluate(() => ({
      window: window.innerWidth,
      covered: document.documentElement.clientWidth,
      content: document.querySelector('h1')?.getBoundingClientRect().toJSON(),
      header: document.querySelector('header')?.getBoundingClientRect().toJSON(),
    }));
  const before = await measured();
  expect(before.covered).toBeLessThan(before.window);
  await page.locator('main button').first().click();
  await page.getByRole('dialog').waitFor();
  await expect.poll(measured).toEqual({ ...before, covered: before.window });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(measured).toEqual(before);
  await leave();
  await browser.close();
});

it('an open dialog shifts nothing on a page without a scroll bar', async () => {
  const browser = await openBrowser({ scrollBars: true });
  const { page, leave } = await openVisitor(browser, site.origin, { viewport: { width: 1280, height: 800 } });
  await visit(page, '/videoplayer');
  const place = () => page.locator('video, main h1').first().boundingBox();
  const before = await place();
  await page
    .getByRole('button', { name: /^Like|like/ })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
  await expect.poll(place).toEqual(before);
  await leave();
  await browser.close();
});
