import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';

const site = sharedSite();

interface ListOfAPage {
  path: string;
  /** The page and the link from which a visitor gets there. */
  from: string;
  link: (page: Page) => Locator;
  /** The call that returns the list. */
  call: string;
  loading: string;
  placeholders?: number;
  failed: string;
  normal: (page: Page) => Locator;
  signedIn?: boolean;
}

const lists: ListOfAPage[] = [
  {
    path: '/user/zoya',
    from: '/AllUsers?q=zoya',
    link: (page) => page.getByRole('link', { name: /@zoya\b/ }),
    call: '**/api/reel/getFrienddata/**',
    loading: 'Loading…',
    failed: "Couldn't load reels",
    normal: (page) => page.getByRole('link', { name: /^A glimpse of zoya/ }),
  },
];

describe.each(lists)('the list of $path', ({ from, link, call, loading, placeholders, failed, ...more }) => {
  it('shows placeholders while it loads, then the error and a retry button', async () => {
    const { page, leave } = await site.open(more.signedIn ? { person: site.creator } : {});
    await visit(page, from);
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(call, async (route) => {
      await asked;
      const words = 'Too many requests.';
      await route.fulfill({
        status: 429,
        json: { status: 'error', error: words, message: words, code: 'too_many_requests', requestId: 'x' },
      });
    });
    await link(page).click();
    const waiting = page.getByRole('status', { name: loading });
    await waiting.waitFor();
    if (placeholders) await expect.poll(() => waiting.locator('> *').count()).toBe(placeholders);
    answer();
    await page.getByRole('heading', { name: failed }).waitFor();
    await page.locator('main').getByText('Too many requests.').first().waitFor();
    await page.unroute(call);
    await page.getByRole('button', { name: 'Try again' }).click();
    await more.normal(page).waitFor();
    await leave();
  });
});

describe('a page for signed-in people, before any script runs', () => {
  it.each([
    ['/Activity', ['h-18'], 5],
    ['/UserProfile', ['aspect-9/16'], 4],
    ['/ReelPost', ['h-64'], 1],
    ['/EarningHistory', ['flex justify-between'], 8],
  ])('%s shows placeholders in the shape of its content', async (path, [look = ''], count) => {
    const html = await (await fetch(site.origin + path)).text();
    const [, placeholder = ''] = /role="status"[^>]*needs-script(.*?)<\/main>/s.exec(html) ?? [];
    expect(placeholder.split(look)).toHaveLength(count + 1);
    expect(placeholder).not.toContain('h-32');
  });
});
