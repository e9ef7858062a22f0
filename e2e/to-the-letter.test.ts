import { describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';

const site = sharedSite();

describe('details of the specification', () => {
  it('like, comment and share of a post do nothing, and say why to a screen reader', async () => {
    const { page, leave } = await site.open();
    // The age of a post changes by the minute.
    await page.clock.setFixedTime(Date.now());
    await visit(page, '/ShowPosts');
    const like = page.getByRole('button', { name: /^Like/ }).first();
    expect(await like.getAttribute('aria-disabled')).toBe('true');
    expect(await like.getAttribute('title')).toContain('app');
    const before = await page.locator('body').innerText();
    await like.click({ force: true });
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
    expect(await page.locator('body').innerText()).toBe(before);
    await leave();
  });

  it('a name changed in the app is shown on the next page that is opened', async () => {
    const person = await signUpAt(site.origin, 'letter.renamed');
    const { page, leave } = await site.open({ person });
    await visit(page, '/About');
    await person.send('POST', '/api/profile/edit', { name: 'Farid Khan' });
    const nameKept = () =>
      page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').name as string);
    await visit(page, '/DownloadApp');
    await expect.poll(nameKept).toBe('Farid Khan');
    await leave();
  });

  it('/ReelPostByLink asks who owns a video only if it came from a link, and names every language [long]', async () => {
    const { page, leave } = await site.open({ person: site.fan });
    await visit(page, '/ReelPostByLink');
    const languages = page.getByLabel('Language of the subtitles').locator('option');
    await expect.poll(() => languages.allTextContents()).toContain('Kashmiri');
    expect((await languages.allTextContents()).filter((name) => /^[a-z]{2,3}$/.test(name))).toEqual([]);
    expect(await page.getByText('This video is mine').count()).toBe(0);
    await leave();
  });

  it('sends no playback reports with Global Privacy Control [long]', async () => {
    const { page, leave } = await site.open();
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
    });
    const reports: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/playback')) reports.push(request.url());
    });
    await visit(page, `/videoplayer?reel=${site.reel}`);
    const played = () =>
      page.locator('.clip:not([inert]) video').evaluate((video: HTMLVideoElement) => video.currentTime);
    await expect.poll(played).toBeGreaterThan(0.1);
    await visit(page, '/About');
    expect(reports).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('playback'))).toBeNull();
    await leave();
  });
});
