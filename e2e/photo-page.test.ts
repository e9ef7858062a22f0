import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';

const site = sharedSite();
const captions = ['The first photo', 'The second photo', 'The third photo'];
let creator: Client;
/** From the oldest to the newest. */
let first: string;
let second: string;
let third: string;

async function publish(person: Client, captions: readonly string[]): Promise<string[]> {
  const now = Date.now();
  const ids: string[] = [];
  for (const [place, caption] of captions.entries()) {
    const at = new Date(now + place * 1000);
    const hue = `#${(place + 3).toString(16).repeat(3)}`;
    ids.push(await publishPicture(site.db, site.data, person.id, caption, at, hue));
  }
  return ids;
}

beforeAll(async () => {
  creator = await signUpAt(site.origin, 'photo.mira');
  [first = '', second = '', third = ''] = await publish(creator, captions);
});

const profile = () => `/user/${creator.id}?tab=posts`;
const next = (page: Page) => page.getByRole('link', { name: 'Next photo' });
const previous = (page: Page) => page.getByRole('link', { name: 'Previous photo' });
const caption = (page: Page, words: string) => page.getByRole('article').getByText(words, { exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const large = (page: Page) => page.locator('.yarl__root');

describe('the page of a photo (decisions §3)', () => {
  it('is linked from the posts, where a plain click zooms [long]', async () => {
    const { page, complaints, leave } = await site.open();
    await visit(page, '/ShowPosts');
    const card = page.getByRole('article').filter({ hasText: 'The third photo' });
    const picture = card.getByRole('link', { name: 'Zoom in on the photo by photo.mira' });
    expect(await picture.getAttribute('href')).toBe(`/post/${third}`);
    await picture.click();
    await large(page).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => large(page).count()).toBe(0);
    await card.getByRole('link', { name: /^Open the photo/ }).click();
    await arrive(page, `/post/${third}`);
    await caption(page, 'The third photo').waitFor();
    await page.goBack();
    await arrive(page, '/ShowPosts');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('is linked from the preview of a profile, and leads to the next and the previous photo, and Back to where the visitor came from', async () => {
    const { page, complaints, leave } = await site.open();
    await visit(page, profile());
    const tile = page.getByRole('link', { name: 'Preview the photo The third photo' });
    expect(await tile.getAttribute('href')).toBe(`/post/${third}`);
    await tile.click();
    await dialog(page).getByRole('link', { name: 'Open the photo' }).click();
    await arrive(page, `/post/${third}`);
    expect(await previous(page).count()).toBe(0);
    await next(page).click();
    await arrive(page, `/post/${second}`);
    await caption(page, 'The second photo').waitFor();
    await page.getByRole('status').getByText('The second photo, a photo by photo.mira').waitFor();
    expect(await page.title()).toBe('The second photo · photo.mira on Jhalak');
    await next(page).click();
    await arrive(page, `/post/${first}`);
    await expect.poll(() => next(page).count()).toBe(0);
    await previous(page).click();
    await arrive(page, `/post/${second}`);
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await arrive(page, profile());
    await page.goForward();
    await arrive(page, `/post/${second}`);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('by keyboard alone moves by arrows, zooms, and is left by Escape [long]', async () => {
    const { page, complaints, leave } = await site.open();
    await visit(page, profile());
    const tile = page.getByRole('link', { name: 'Preview the photo The second photo' });
    await tile.focus();
    await page.keyboard.press('Enter');
    const open = dialog(page).getByRole('link', { name: 'Open the photo' });
    await open.focus();
    await page.keyboard.press('Enter');
    await arrive(page, `/post/${second}`);
    await page.keyboard.press('ArrowLeft');
    await arrive(page, `/post/${third}`);
    // At the end nothing happens.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await arrive(page, `/post/${second}`);
    await next(page).focus();
    await page.keyboard.press('Enter');
    await arrive(page, `/post/${first}`);
    // The link is gone, and the focus is still beside it.
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('figure');
    await page.keyboard.press('Tab');
    const zoom = page.getByRole('link', { name: 'Zoom in on the photo by photo.mira' });
    await expect.poll(() => zoom.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await large(page).waitFor();
    await page.keyboard.press('ArrowLeft');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => large(page).count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(`/post/${first}`);
    await expect.poll(() => zoom.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await arrive(page, profile());
    expect(complaints).toEqual([]);
    await leave();
  });

  it('on a phone moves on when a finger swipes, and shows other photos of the author [long]', async () => {
    const { page, complaints, leave } = await site.open({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await visit(page, `/post/${second}`);
    const box = await page.locator('figure').boundingBox();
    if (!box) throw new Error('there is no picture');
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: x === undefined ? [] : [{ x, y: box.y + box.height / 2 }],
      });
    await touch('touchStart', 300);
    for (const x of [270, 220, 160, 100]) await touch('touchMove', x);
    await touch('touchEnd');
    await arrive(page, `/post/${first}`);
    expect(await large(page).count()).toBe(0);
    const more = page.getByRole('region', { name: 'More photos by photo.mira' });
    await more.getByRole('link', { name: 'The third photo, a photo by photo.mira' }).click();
    await arrive(page, `/post/${third}`);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('that was opened by its address says that liking and commenting need the app, and is left to the photos of its author [long]', async () => {
    const { page, leave } = await site.open();
    await visit(page, `/post/${second}`);
    for (const [name, why] of [
      [/^Like/, 'To like this photo, open the Jhalak app.'],
      ['Comment', 'To comment on this photo, open the Jhalak app.'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await dialog(page).getByText(why).waitFor();
      await dialog(page).getByRole('link', { name: 'Get it on Google Play' }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog(page).count()).toBe(0);
    }
    expect(new URL(page.url()).pathname).toBe(`/post/${second}`);
    await page.keyboard.press('ArrowRight');
    await arrive(page, `/post/${first}`);
    await page.keyboard.press('Escape');
    await arrive(page, profile());
    await leave();
  });

  it('says in both languages that a photo is not available, also when it goes while the visitor looks [long]', async () => {
    const author = await signUpAt(site.origin, 'photo.gone');
    const [old = '', fresh = ''] = await publish(author, ['Stays', 'Goes']);
    const { page, leave } = await site.open();
    await visit(page, `/post/${old}?lang=hi`);
    await page.getByRole('link', { name: 'पिछली फ़ोटो' }).waitFor();
    await author.send('DELETE', `/api/post/deletePost/${fresh}`);
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('heading', { level: 1, name: 'यह फ़ोटो उपलब्ध नहीं है' }).waitFor();
    const answer = await page.goto(`/post/${fresh}?lang=en`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: "This photo isn't available" }).waitFor();
    await page.getByRole('link', { name: 'See other photos' }).click();
    await page.waitForURL('/ShowPosts');
    await leave();
  });
});
