import { describe, expect, it } from 'vitest';
import { emptySite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';

const site = emptySite({ ANALYTICS_ID: 'G-TEST123456' });

async function open(asked?: 'doNotTrack' | 'globalPrivacyControl') {
  const visitor = await site.open();
  const loaded: string[] = [];
  await visitor.page.route('https://www.googletagmanager.com/**', (route) => {
    loaded.push(route.request().url());
    return route.fulfill({ contentType: 'text/javascript', body: '' });
  });
  if (asked)
    await visitor.page.addInitScript((name) => {
      const value = name === 'doNotTrack' ? '1' : true;
      Object.defineProperty(Navigator.prototype, name, { get: () => value });
    }, asked);
  return { ...visitor, loaded };
}

describe('with a measurement id', () => {
  it('counts each opened page without the ids in its URL and without a cookie', async () => {
    const { page, loaded, leave } = await open();
    await visit(page, '/user/018f0000-0000-7000-8000-000000000000?tab=posts');
    await page.getByRole('contentinfo').getByRole('link', { name: 'About Us' }).click();
    await page.getByRole('heading', { name: 'Why choose us' }).waitFor();
    const sent = () =>
      page.evaluate(() => (window.dataLayer ?? []).map((one) => JSON.stringify([...(one as [])])));
    await expect
      .poll(async () =>
        (await sent()).filter((one) => one.includes('page_view') && one.includes('page_path')),
      )
      .toEqual([expect.stringContaining('"page_path":"/user/:id"'), expect.stringContaining('"/About"')]);
    expect(loaded).toEqual(['https://www.googletagmanager.com/gtag/js?id=G-TEST123456']);
    expect((await sent())[0]).toContain('"analytics_storage":"denied"');
    expect(await page.context().cookies()).toEqual([]);
    await leave();
  });

  it.each(['doNotTrack', 'globalPrivacyControl'] as const)('%s disables it [long]', async (asked) => {
    const { page, loaded, leave } = await open(asked);
    await visit(page, '/About');
    expect(loaded).toEqual([]);
    expect(await page.evaluate(() => window.dataLayer)).toBeUndefined();
    await leave();
  });
});
