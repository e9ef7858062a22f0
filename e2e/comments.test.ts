import type { Page } from 'playwright-core';
import { v7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { giveReels } from '#testing/fixtures/reel-copies.ts';

const site = sharedSite();
let fan: Client;
/** A reel with one comment more than a page, and one without any. */
let talkedOf: string;
let silent: string;
const many = 21;

beforeAll(async () => {
  const creator = await signUpAt(site.origin, 'comments.hema');
  fan = await signUpAt(site.origin, 'comments.gita');
  [talkedOf = '', silent = ''] = await giveReels(site, creator.id, ['Talked of', 'Silent']);
  for (let nth = 1; nth <= many; nth += 1)
    await fan.send('POST', `/api/reel/comment/${talkedOf}`, { text: `Comment ${nth}`, sentAs: v7() });
});

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const addressOf = (id: string) => `/videoplayer?reel=${id}`;
const column = (page: Page) => page.getByRole('complementary');
const commentsIn = (page: Page, where: 'complementary' | 'dialog') =>
  page
    .getByRole(where)
    .getByRole('listitem')
    .getByText(/^Comment \d+$/)
    .allTextContents();
const comment = (page: Page) => page.locator('.player-rail').getByRole('button', { name: /comment/ });

describe('the comments of a reel, on a wide screen', () => {
  it('are listed beside the video, newest first, scroll by the arrow keys, which leave the video where it is, and are written in the app', async () => {
    const { page, leave } = await site.open({ viewport: desktop });
    await visit(page, addressOf(talkedOf));
    await expect.poll(() => commentsIn(page, 'complementary')).toHaveLength(many - 1);
    const video = page.locator('.clip:not([inert]) video');
    const boxes = [await page.locator('.player').boundingBox(), await column(page).boundingBox()];
    expect(boxes.map((box) => box && [box.x, box.width])).toEqual([
      [0, 900],
      [900, 380],
    ]);
    await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime)).toBeGreaterThan(0.1);

    await column(page).getByRole('link').first().focus();
    const before = page.url();
    await page.keyboard.press('ArrowDown');
    const scrolled = () =>
      column(page).evaluate((one) => Math.max(...[...one.children].map(({ scrollTop }) => scrollTop)));
    await expect.poll(scrolled).toBeGreaterThan(0);
    expect(page.url()).toBe(before);

    await column(page).getByRole('button', { name: 'Load more' }).click();
    const newestFirst = Array.from({ length: many }, (_, place) => `Comment ${many - place}`);
    await expect.poll(() => commentsIn(page, 'complementary')).toEqual(newestFirst);
    expect(await violationsOf(page)).toEqual([]);

    for (const button of [comment(page), column(page).getByRole('button', { name: 'Comment in the app' })]) {
      await button.click();
      await page
        .getByRole('dialog')
        .getByText('To comment on this reel, open it in the Jhalak app.')
        .waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    }
    await leave();
  });

  it('are those of the video that is shown, and say when there is none [long]', async () => {
    const { page, leave } = await site.open({ viewport: desktop });
    await visit(page, `${addressOf(silent)}&lang=hi`);
    await column(page).getByText('अभी कोई कमेंट नहीं है।').waitFor();
    await visit(page, `${addressOf(talkedOf)}&lang=en`);
    await column(page).getByText('Comment 21').waitFor();
    const before = page.url();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.url()).not.toBe(before);
    await expect.poll(() => commentsIn(page, 'complementary')).toEqual([]);
    await leave();
  });
});

describe('the comments of a reel, on a phone [long]', () => {
  it('are in the popup that the button opens, below both stores, and names lead to profiles', async () => {
    const { page, leave } = await site.open({ viewport: phone, hasTouch: true, isMobile: true });
    await visit(page, addressOf(talkedOf));
    await comment(page).waitFor();
    expect(await column(page).count(), 'beside the video').toBe(0);
    await comment(page).tap();
    await expect.poll(() => commentsIn(page, 'dialog')).toHaveLength(many - 1);
    for (const store of ['Google Play', 'App Store'])
      await expect
        .poll(() => page.getByRole('dialog').getByRole('link', { name: store }).boundingBox())
        .toMatchObject({ height: expect.any(Number) });
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('link', { name: '@comments.gita' }).first().tap();
    await arrive(page, `/user/${fan.id}`);
    await leave();
  });
});
