import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, takenOver, visit } from '#testing/browser/visitor.ts';
import type { Client } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';

const site = sharedSite();

/** A page that then loses the network, without a service worker. Requests that match `missing` fail even before. */
async function open(path: string, missing: string, person?: Client) {
  const { page, leave } = await site.open(person && { person });
  await page.route(missing, (route) => route.abort());
  await visit(page, path);
  // Lost when the page is reloaded.
  await page.evaluate(() => Object.assign(window, { opened: true }));
  return { page, leave };
}
const isStillOpen = (page: Page) => page.evaluate(() => 'opened' in window);
const reconnect = async (page: Page, missing: string) => {
  await page.unroute(missing);
  await page.context().setOffline(false);
};

describe('without a network an open page stays open', () => {
  it('a failed prefetch shows no error [long]', async () => {
    const { page, leave } = await open('/AllUsers?q=farid', '**/assets/user-*.js');
    const reloads = page.waitForEvent('console', (message) => message.text().includes('reloading page'));
    await page.context().setOffline(true);
    await page.locator('footer a').last().hover();
    await page.getByRole('link', { name: /@farid\b/ }).hover();
    await reloads;
    await page.getByText('You are offline.').waitFor();
    expect(await isStillOpen(page)).toBe(true);
    await leave();
  });

  it('a failed navigation shows an error, and the same link works when the network is back', async () => {
    const missing = '**/assets/about-*.js';
    const { page, leave } = await open('/Feedback', missing);
    await page.context().setOffline(true);
    const words = page.getByLabel('Your feedback');
    await words.fill('The tunnel is dark');
    const link = page.locator('footer').getByRole('link', { name: 'About' });
    await link.click();
    await page.getByText("Couldn't load that page. Check your connection and try again.").waitFor();
    expect(await isStillOpen(page)).toBe(true);
    expect(await words.inputValue()).toBe('The tunnel is dark');
    await expect.poll(() => page.locator('.navigating').count()).toBe(0);
    await reconnect(page, missing);
    await link.click();
    await arrive(page, '/About');
    await leave();
  });

  it('a page whose script was removed is loaded as a full page [long]', async () => {
    const missing = '**/assets/contact-*.js';
    const { page, leave } = await open('/About', missing);
    await page.locator('footer').getByRole('link', { name: 'Contact' }).click();
    // Not by waiting for its URL: the page may be requested again (the next test), and Playwright would fail the wait.
    await page.getByRole('heading', { name: 'Contact', level: 1 }).waitFor();
    expect(await isStillOpen(page)).toBe(false);
    await leave();
  });

  it('also when React Router reloads once more meanwhile, as after a prefetch and a click [long]', async () => {
    const { page, leave } = await open('/About', '**/assets/contact-*.js');
    // The browser cancels a page that is loading when another reload begins, even if that one is then cancelled.
    await page.evaluate(() => {
      let isFirst = true;
      navigation.addEventListener('navigate', ({ destination }) => {
        if (!destination.url.endsWith('/Contact') || destination.sameDocument) return;
        if (isFirst) setTimeout(() => location.reload());
        isFirst = false;
      });
    });
    await page.locator('footer').getByRole('link', { name: 'Contact' }).click();
    await page.getByRole('heading', { name: 'Contact', level: 1 }).waitFor();
    expect(await isStillOpen(page)).toBe(false);
    await leave();
  });

  it('a lazy part that fails to load shows an error, and loads on the next click [long]', async () => {
    const missing = '**/assets/preview-*.js';
    const { page, leave } = await open(`/user/${site.creator.id}?tab=posts`, missing);
    await page.context().setOffline(true);
    const tile = page.getByRole('link', { name: 'Preview the photo The newer photo' });
    await tile.click();
    await page.getByText("Couldn't load that. Check your connection and try again.").waitFor();
    expect(await isStillOpen(page)).toBe(true);
    await reconnect(page, missing);
    await tile.click();
    // Chromium up to 155 does not request a script again in a page where it failed to load: there the page reloads.
    const part = page.getByRole('dialog').getByRole('img');
    const isAnew = page.waitForFunction(() => !('opened' in window));
    const anew = isAnew.then(() => takenOver(page)).then(() => tile.click());
    await Promise.race([part.waitFor(), anew]);
    await part.waitFor();
    await leave();
  });

  it('errors are shown even when the toaster’s script failed to load [long]', async () => {
    const { page, leave } = await open('/UserProfile?tab=posts', '**/assets/toaster-*.js', site.creator);
    await page.getByText('The older photo').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Delete The older photo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Delete failed!').waitFor();
    await page.getByText('The older photo').waitFor();
    expect(await isStillOpen(page)).toBe(true);
    await leave();
  });
});

describe('a page of an earlier build [long]', () => {
  /** The site was built again: it no longer has a script of the open page, and serves pages of another build. */
  async function buildAgain(page: Page, missing: string) {
    await page.route(missing, (route) => route.fulfill({ status: 404, body: '' }));
    await page.route('**/*', async (route) => {
      if (
        route.request().resourceType() !== 'fetch' ||
        !route.request().headers().accept?.includes('text/html')
      )
        return await route.fallback();
      // The page may be closed or reloaded while its request is under way.
      const answer = await route.fetch().catch(() => undefined);
      if (!answer) return;
      const html = await answer.text();
      await route.fulfill({
        response: answer,
        body: html.replaceAll(/manifest-\w+\.js/g, 'manifest-newer.js'),
      });
    });
  }
  /** The documents that the page loads from now on. A request for one may be replaced by the next. */
  const loads = (page: Page) => {
    const documents: string[] = [];
    page.on('domcontentloaded', () => documents.push(page.url()));
    return documents;
  };

  it('is reloaded once when a part of it is missing, and keeps what was typed', async () => {
    const { page, leave } = await site.open({ person: site.creator });
    await visit(page, '/ReelPost');
    const path = join(site.data, 'before-the-deploy.mp4');
    await makeClip(path, { seconds: 1 });
    await page.getByLabel('Video', { exact: true }).setInputFiles(path);
    await page.getByLabel('Caption').fill('Typed before the deploy');
    await page.getByRole('button', { name: 'Cricket', exact: true }).click();
    await page.locator('header').getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await arrive(page, '/UserProfile');
    await page.getByRole('tab', { name: 'Posts' }).click();
    await buildAgain(page, '**/assets/preview-*.js');
    const documents = loads(page);
    const tile = page.getByRole('link', { name: 'Preview the photo The newer photo' });
    await tile.click();
    await expect.poll(() => documents.length).toBe(1);
    await takenOver(page);
    // It is still missing: that is said, for some seconds, and the page stays.
    const said = page.getByText("Couldn't load that. Check your connection and try again.").waitFor();
    await Promise.all([said, tile.click()]);
    expect(documents).toHaveLength(1);
    // The page before is of another build and may be loaded once more: a script that waits for the step would end with its page.
    await page.evaluate(() => void setTimeout(() => history.back()));
    await page.getByRole('button', { name: 'Cricket', exact: true, pressed: true }).waitFor();
    expect(await page.getByLabel('Caption').inputValue()).toBe('Typed before the deploy');
    await leave();
  });

  it('is not reloaded while a chosen file would be lost [long]', async () => {
    const { page, leave } = await site.open({ person: site.creator });
    await visit(page, '/ReelPost');
    await buildAgain(page, '**/assets/probe-video-*.js');
    const documents = loads(page);
    const missing = page.waitForResponse(/assets\/probe-video/);
    await page
      .getByLabel('Video', { exact: true })
      .setInputFiles({ name: 'chosen.mp4', mimeType: 'video/mp4', buffer: Buffer.from('a video') });
    await missing;
    await page.waitForResponse((response) => response.url().endsWith('/ReelPost'));
    await page.getByRole('button', { name: 'Choose another' }).waitFor();
    expect(documents).toEqual([]);
    await leave();
  });

  it('a missing script of the current build reloads nothing [long]', async () => {
    const { page, leave } = await site.open();
    await page.route('**/assets/preview-*.js', (route) => route.fulfill({ status: 404, body: '' }));
    await visit(page, `/user/${site.creator.id}?tab=posts`);
    const documents = loads(page);
    const asked = page.waitForResponse((response) => response.request().resourceType() === 'fetch');
    await page.getByRole('link', { name: 'Preview the photo The newer photo' }).click();
    await page.getByText("Couldn't load that. Check your connection and try again.").waitFor();
    await asked;
    expect(documents).toEqual([]);
    await leave();
  });
});
