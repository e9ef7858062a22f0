import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { giveReels } from '#testing/fixtures/reel-copies.ts';

const site = sharedSite();
let creator: Client;

beforeAll(async () => {
  creator = await signUpAt(site.origin, 'keyboard.tabitha');
  // The newest reel is the first tile of Home.
  await giveReels(site, creator.id, ['The second glimpse', 'The first glimpse']);
  await publishPicture(site.db, site.data, creator.id, 'A photo', new Date());
});

/** A clip with unique bytes, which is soon encoded. */
async function clip(hue: number): Promise<string> {
  const path = join(site.data, `clip-${hue}.mp4`);
  await makeClip(path, { seconds: 1, source: `testsrc2=size=270x480:rate=10,hue=h=${hue * 31}` });
  return path;
}

const open = () => site.open();
const dialog = (page: Page) => page.getByRole('dialog');
const isFocused = (one: Locator) => one.evaluate((element) => element === document.activeElement);
/** The focused element has a visible focus ring. */
const isRinged = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement as Element;
    return focused.matches(':focus-visible') && getComputedStyle(focused).outlineStyle !== 'none';
  });

/** Presses Tab until `target` has the focus, as a person without a mouse does. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press(key);
    if (await isFocused(target)) {
      expect(await isRinged(page)).toBe(true);
      return;
    }
  }
  throw new Error(`${target} is not reached by ${key}`);
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

describe('by keyboard alone', () => {
  it('the first Tab focuses the link that skips to the content', async () => {
    const { page, leave } = await open();
    await visit(page, '/ShowPosts');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect.poll(() => isFocused(skip)).toBe(true);
    await expect.poll(async () => (await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(page.locator('main'))).toBe(true);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
    await leave();
  });

  it('the header opens its menu and changes the theme, and the footer changes the language [long]', async () => {
    const { page, leave } = await open();
    await visit(page, '/Category');
    const more = page.locator('header summary', { hasText: 'More' });
    await press(page, more);
    const guide = page.locator('header').getByRole('link', { name: 'Earning Guide' });
    await tabTo(page, guide);
    await page.keyboard.press('Escape');
    await guide.waitFor({ state: 'hidden' });
    await expect.poll(() => isFocused(more)).toBe(true);
    await page.keyboard.press('Enter');
    // Moving past its last item closes it.
    await tabTo(page, page.locator('header').getByRole('link', { name: 'About Us' }));
    await tabTo(page, page.getByRole('button', { name: 'Switch to the dark theme' }));
    await guide.waitFor({ state: 'hidden' });
    await page.keyboard.press('Space');
    await expect.poll(() => page.evaluate(() => document.body.className)).toBe('dark');
    await expect
      .poll(() => isFocused(page.getByRole('button', { name: 'Switch to the light theme' })))
      .toBe(true);
    await press(page, page.locator('footer').getByRole('link', { name: 'हिन्दी' }));
    await arrive(page, '/Category?lang=hi');
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('hi');
    await leave();
  });

  it('a reel opens, moves on, is muted and liked, and Escape returns the focus to its tile [long]', async () => {
    const { page, complaints, leave } = await open();
    await visit(page, '/');
    const tile = page.getByRole('link', { name: /The first glimpse/ });
    await press(page, tile);
    await arrive(page, /\/videoplayer\?reel=/);
    const next = page.getByRole('button', { name: 'Next video' });
    await next.waitFor();
    const first = page.url();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.url()).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => page.url()).toBe(first);
    await press(page, next);
    await expect.poll(() => page.url()).not.toBe(first);
    await tabTo(page, page.getByRole('button', { name: 'Previous video' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toBe(first);

    const muted = () => page.evaluate(() => localStorage.getItem('sound'));
    await page.keyboard.press('m');
    await expect.poll(muted).toBe('off');
    await tabTo(page, page.getByRole('button', { name: 'Unmute' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(muted).toBe('on');

    const like = page.getByRole('button', { name: /like/ }).first();
    await press(page, like);
    await dialog(page).getByRole('link', { name: 'Get it on Google Play' }).waitFor();
    // The popup traps the focus, which wraps around.
    for (let presses = 0; presses < 6; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('dialog, main')?.tagName)).not.toBe(
        'MAIN',
      );
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog(page).count()).toBe(0);
    await expect.poll(() => isFocused(like)).toBe(true);

    await page.keyboard.press('Escape');
    await arrive(page, '/');
    await expect.poll(() => isFocused(tile)).toBe(true);
    expect(await isRinged(page)).toBe(true);

    await page.keyboard.press('Enter');
    await arrive(page, first);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.url()).not.toBe(first);
    await press(page, page.getByRole('button', { name: 'Back' }));
    await arrive(page, '/');
    await expect.poll(() => isFocused(tile)).toBe(true);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('a category opens the popup, and closing it returns the focus to the category [long]', async () => {
    const { page, leave } = await open();
    await visit(page, '/Category');
    const cricket = page.getByRole('button', { name: /^Cricket/ });
    await press(page, cricket, 'Space');
    const close = dialog(page).getByRole('button', { name: 'Close' });
    await close.waitFor();
    if (!(await isFocused(close))) await tabTo(page, close);
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog(page).count()).toBe(0);
    await expect.poll(() => isFocused(cricket)).toBe(true);
    await leave();
  });

  it('a photo is enlarged and closed again [long]', async () => {
    const { page, leave } = await open();
    await visit(page, '/ShowPosts');
    const closer = page.getByRole('link', { name: 'Zoom in on the photo by keyboard.tabitha' });
    await press(page, closer);
    const large = page.locator('.yarl__root');
    await large.waitFor();
    await press(page, page.getByRole('button', { name: 'Zoom in' }));
    await tabTo(page, large.getByRole('button', { name: 'Close' }));
    await page.keyboard.press('Enter');
    await expect.poll(() => large.count()).toBe(0);
    await expect.poll(() => isFocused(closer)).toBe(true);
    await leave();
  });

  it('a person is searched for and found, and arrow keys move between the tabs [long]', async () => {
    const { page, leave } = await open();
    await visit(page, '/AllUsers');
    await tabTo(page, page.getByLabel('Search by name or username'));
    await page.keyboard.type('keyboard.tabitha');
    // The list of all people, which may contain her too, is replaced by the result.
    await arrive(page, '/AllUsers?q=keyboard.tabitha');
    await page.getByText('1 user found').waitFor();
    const person = page.locator('main').getByRole('link', { name: /keyboard\.tabitha/ });
    await press(page, person);
    await arrive(page, `/user/${creator.id}`);
    const tab = (name: string) => page.getByRole('tab', { name });
    await tab('Reels').waitFor();
    await tabTo(page, tab('Reels'));
    await page.keyboard.press('ArrowRight');
    await arrive(page, `/user/${creator.id}?tab=posts`);
    await expect.poll(() => isFocused(tab('Posts'))).toBe(true);
    await page.keyboard.press('ArrowRight');
    await arrive(page, `/user/${creator.id}`);
    await expect.poll(() => isFocused(tab('Reels'))).toBe(true);
    const reel = page.getByRole('link', { name: /^The first glimpse/ });
    await press(page, reel);
    await arrive(page, /\/videoplayer\?reel=/);
    await page.keyboard.press('Escape');
    await arrive(page, `/user/${creator.id}`);
    await expect.poll(() => isFocused(reel)).toBe(true);
    await leave();
  });

  it('a person signs up, logs in, reaches the profile and publishes a reel [long]', async () => {
    const { page, complaints, leave } = await open();
    await visit(page, '/');
    await press(page, page.locator('header').getByRole('link', { name: 'Login' }));
    await arrive(page, '/LoginGoogle');
    await press(page, page.locator('main').getByRole('link', { name: 'Sign up' }));
    await arrive(page, '/SignupForm');
    const field = (label: string) => page.locator('main').getByLabel(label, { exact: true });
    for (const [label, words] of [
      ['Name', 'Kiran Rao'],
      ['Username', 'keyboard.kiran'],
      ['Email', 'keyboard.kiran@people.example'],
      ['Password', 'open sesame'],
      ['Confirm password', 'open sesame'],
    ] as const) {
      await tabTo(page, field(label));
      await page.keyboard.type(words);
    }
    await page.keyboard.press('Enter');
    await arrive(page, '/LoginEmail');
    await tabTo(page, field('Password'));
    await page.keyboard.type('open sesame');
    await page.keyboard.press('Enter');
    await arrive(page, '/UserProfile');
    await press(page, page.getByRole('main').locator('summary'));
    await press(page, page.getByRole('link', { name: 'Upload Reel' }));
    await arrive(page, '/ReelPost');
    const chooser = page.waitForEvent('filechooser');
    await press(page, page.getByRole('button', { name: 'Select a video' }));
    await (await chooser).setFiles(await clip(2));
    await page.getByAltText(/^Cover/).waitFor();
    await tabTo(page, page.getByLabel('Caption'));
    await page.keyboard.type('Made without a mouse');
    await tabTo(page, page.getByLabel('Search categories'));
    await page.keyboard.type('kabaddi');
    const category = page.getByRole('button', { name: 'Kabaddi', exact: true });
    await press(page, category, 'Space');
    await expect.poll(() => category.getAttribute('aria-pressed')).toBe('true');
    await press(page, page.getByRole('button', { name: 'Publish' }));
    const card = page.getByRole('listitem').filter({ hasText: 'Made without a mouse' });
    await card.getByText('Published.').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });
});
