import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { furnishedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';

const site = furnishedSite();

const dialog = (page: Page) => page.getByRole('dialog');

describe('/Category (specification §2)', () => {
  it('shows 42 categories under five headings, and leads to the app', async () => {
    const { page, complaints, leave } = await site.open();
    await visit(page, '/Category');
    expect(await page.locator('main h2').allTextContents()).toEqual([
      'Boys',
      'Girls',
      'Common',
      'Trips, learning, enjoy',
      'Reel category update',
    ]);
    expect(await page.locator('main li button').count()).toBe(42);
    await page.getByRole('button', { name: /^Kabaddi/ }).click();
    await dialog(page).getByText('Please download the app to watch the Kabaddi videos.').waitFor();
    await dialog(page)
      .getByRole('img', { name: /QR code/ })
      .waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator(':focus').textContent()).toContain('Kabaddi');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('shows the store links without a QR code on a phone [long]', async () => {
    const { page, leave } = await site.open({ viewport: { width: 390, height: 844 } });
    await visit(page, '/Category');
    await page.getByRole('button', { name: /^Dance/ }).click();
    await dialog(page).getByRole('link', { name: 'Get it on Google Play' }).waitFor();
    expect(
      await dialog(page)
        .getByRole('img', { name: /QR code/ })
        .isVisible(),
    ).toBe(false);
    await leave();
  });
});

describe('/ShowPosts (specification §2, §8)', () => {
  it('shows all posts, newest first; a click enlarges a picture and Escape closes it [long]', async () => {
    const { page, complaints, leave } = await site.open();
    await visit(page, '/ShowPosts');
    expect(await page.locator('article h2').allTextContents()).toEqual([
      'The newer photo',
      'The older photo',
    ]);
    const zoom = page.getByRole('link', { name: 'Zoom in on the photo by zoya' }).first();
    await zoom.focus();
    await page.keyboard.press('Enter');
    const large = page.locator('.yarl__root');
    await large.waitFor();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect
      .poll(() =>
        large
          .locator('.yarl__slide_image')
          .first()
          .evaluate((one) => one.getBoundingClientRect().width),
      )
      .toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => large.count()).toBe(0);
    await expect.poll(() => zoom.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('shows a placeholder when a picture fails to load [long]', async () => {
    const { page, leave } = await site.open();
    await page.route('**/media/**', (route) => route.abort());
    await visit(page, '/ShowPosts');
    await expect.poll(() => page.getByText("Couldn't load this photo").count()).toBe(2);
    expect(await page.locator('main article').count()).toBe(2);
    await leave();
  });
});
