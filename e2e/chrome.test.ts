import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '#testing/browser/browser.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, openVisitor, visit } from '#testing/browser/visitor.ts';

const site = sharedSite();

describe('the header (specification §2) [long]', () => {
  it('shows the initial of the username when the profile picture is broken', async () => {
    const user = { ...site.creator.user, profilePic: '/media/nothing/small.webp' };
    const { page, leave } = await site.open({ person: { ...site.creator, user } });
    await visit(page, '/About');
    const profile = page.locator('header').getByRole('link', { name: 'Profile' });
    await expect.poll(() => profile.locator('img').count()).toBe(0);
    await expect.poll(() => profile.textContent()).toBe('Z');
    await leave();
  });

  it.each(['en', 'hi'])(
    'has its buttons in the same places before the font arrives, in %s',
    async (locale) => {
      const { page, leave } = await site.open({ locale, viewport: { width: 390, height: 844 } });
      const places = async () => {
        await visit(page, '/About');
        await page.evaluate(() => document.fonts.ready);
        const inHeader = page.locator('header').locator('a, button').filter({ visible: true });
        return await inHeader.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
      };
      const withFont = await places();
      expect(withFont.length).toBeGreaterThan(2);
      await page.route('**/*.woff2', (route) => route.abort());
      expect(await places()).toEqual(withFont);
      await leave();
    },
  );

  it('shrinks after 80 pixels and opens More by keyboard', async () => {
    const { page, leave } = await site.open({ viewport: { width: 1280, height: 500 } });
    await visit(page, '/PrivacyPolicy');
    const bar = page.locator('header > div').first();
    const height = async () => (await bar.boundingBox())?.height ?? 0;
    const tall = await height();
    // The browser fires the scroll events before the next frame.
    await page.evaluate(() => {
      const scrolled = new Promise((done) => window.addEventListener('scrollend', done, { once: true }));
      window.scrollTo(0, 80);
      return scrolled.then(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
    });
    expect(await height()).toBe(tall);
    await page.evaluate(() => window.scrollTo(0, 81));
    await expect.poll(height).toBeLessThan(tall);
    await page.getByText('More', { exact: true }).focus();
    await page.keyboard.press('Enter');
    const menu = page.locator('header details[open]').first();
    await expect
      .poll(async () => (await menu.getByRole('link').allTextContents()).slice(0, 5))
      .toEqual(['Earning Guide', 'Privacy & Policy', 'Contact Us', 'Feedback', 'About Us']);
    await leave();
  });
});

describe('languages', () => {
  it('follow the browser or the query parameter, and the choice is remembered', async () => {
    const { page, complaints, leave } = await site.open({ locale: 'hi-IN' });
    await visit(page, '/About');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('hi');
    await page.locator('footer').getByRole('link', { name: 'English' }).click();
    await arrive(page, '/About?lang=en');
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('en');
    await expect
      .poll(() => page.locator('link[rel=canonical]').getAttribute('href'))
      .toBe(`${site.origin}/About?lang=en`);
    await visit(page, '/Category');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    const alternates = await page
      .locator('link[rel=alternate]')
      .evaluateAll((all) => all.map((one) => `${one.getAttribute('hreflang')} ${one.getAttribute('href')}`));
    expect(alternates.toSorted()).toEqual([
      `en ${site.origin}/Category?lang=en`,
      `hi ${site.origin}/Category?lang=hi`,
      `x-default ${site.origin}/Category`,
    ]);
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('without a network [long]', () => {
  it('shows a bar on an open page; another page shows the offline page and reloads by itself', async () => {
    const { page, leave } = await site.open({ serviceWorkers: 'allow' });
    await visit(page, '/About');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await expect.poll(() => page.evaluate(() => caches.has('jhalak-offline-1'))).toBe(true);
    await page.context().setOffline(true);
    await page.getByText("You are offline. We'll try again when you're back online.").waitFor();
    await page.goto('/Category');
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    await page.locator('header').getByRole('link').first().waitFor();
    const { height = 0 } = (await page.getByRole('link', { name: 'Try again' }).boundingBox()) ?? {};
    expect(height).toBeLessThan(52);
    const asked = page.waitForRequest((request) => request.isNavigationRequest());
    const back = Date.now();
    await page.context().setOffline(false);
    await asked;
    expect(Date.now() - back).toBeLessThan(1000);
    await page.getByRole('heading', { name: 'Categories' }).waitFor();
    expect(page.url()).toBe(`${site.origin}/Category`);
    await leave();
  });
});

describe('an open dialog', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser({ scrollBars: true });
  });
  afterAll(() => browser?.close());
  const open = (viewport: { width: number; height: number }) =>
    openVisitor(browser, site.origin, { viewport });

  it('covers the window and shifts nothing on a page with a scroll bar [long]', async () => {
    const { page, leave } = await open({ width: 1280, height: 500 });
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
  });

  it('shifts nothing on a page without a scroll bar [long]', async () => {
    const { page, leave } = await open({ width: 1280, height: 800 });
    await visit(page, `/videoplayer?reel=${site.reel}`);
    const place = () => page.locator('video, main h1').first().boundingBox();
    const before = await place();
    await page
      .getByRole('button', { name: /^Like|like/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await expect.poll(place).toEqual(before);
    await leave();
  });
});
