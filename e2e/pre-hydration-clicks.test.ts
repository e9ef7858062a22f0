import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, takenOver } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';

const site = sharedSite();
beforeAll(async () => {
  await signUpAt(site.origin, 'early');
});

/** A page on a connection so slow that its text is there long before its scripts; `loadScripts` lets these load. */
async function open(path: string, person?: Client) {
  const { page, complaints, leave } = await site.open(person ? { person } : {});
  const scripts = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  const loadScripts = async () => {
    scripts.resolve();
    await takenOver(page);
  };
  return { page, complaints, leave, loadScripts };
}
const theme = (page: Page) => page.evaluate(() => document.body.className);

describe('before hydration', () => {
  it('a submitted form is sent once after hydration', async () => {
    const { page, complaints, leave, loadScripts } = await open('/LoginEmail');
    await page.getByLabel('Email').fill('early@people.example');
    await page.getByLabel('Password', { exact: true }).fill('a long password');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).pathname).toBe('/LoginEmail');
    await loadScripts();
    await arrive(page, '**/UserProfile');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('typed text is kept and can be sent after hydration [long]', async () => {
    const { page, leave, loadScripts } = await open('/SignupForm');
    const words = { Name: 'Ila', Username: 'early.ila', Email: 'early.ila@people.example' };
    for (const [label, value] of Object.entries(words))
      await page.getByLabel(label, { exact: true }).fill(value);
    await loadScripts();
    await page.getByLabel('Password', { exact: true }).fill('a long password');
    await page.getByLabel('Confirm password', { exact: true }).fill('a long password');
    await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
    await arrive(page, '**/LoginEmail');
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(words.Email);
    await leave();
  });

  it('text typed by a signed-in person is kept [long]', async () => {
    const person = await signUpAt(site.origin, 'writer');
    const { page, leave, loadScripts } = await open('/Feedback', person);
    await page.getByLabel('Your feedback').fill('More kites');
    await loadScripts();
    await expect.poll(() => page.getByLabel('Your feedback').inputValue()).toBe('More kites');
    await leave();
  });

  it('only the last clicked button is replayed, once [long]', async () => {
    const { page, leave, loadScripts } = await open('/About');
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
    expect(await theme(page)).toBe('light');
    await loadScripts();
    await expect.poll(() => theme(page)).toBe('dark');
    await expect.poll(() => page.locator('[data-pressed]').count()).toBe(0);
    await leave();
  });

  it('links work [long]', async () => {
    const { page, leave } = await open('/About');
    await page.locator('footer a[href="/PrivacyPolicy"]').click();
    await page.waitForURL('**/PrivacyPolicy', { waitUntil: 'commit' });
    await leave();
  });
});

it("the player shows no controls of the browser's, which its own would replace", async () => {
  const { page, leave, loadScripts } = await open('/videoplayer');
  const video = page.locator('video').first();
  await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.readyState)).toBe(4);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const shown = await page.screenshot();
  await video.evaluate((one: HTMLVideoElement) => one.removeAttribute('controls'));
  expect((await page.screenshot()).equals(shown)).toBe(true);
  await loadScripts();
  await leave();
});
