import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { signUpByForms } from '#testing/browser/sign-up.ts';
import { furnishedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';

const site = furnishedSite({ INTERACTIONS: 'web' });
const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
const main = (page: Page) => page.locator('main');
const rail = (page: Page, name: RegExp) => page.locator('.player-rail').getByRole('button', { name });
const follow = (page: Page) => page.getByRole('button', { name: 'Follow @zoya' });
const address = () => `/videoplayer?reel=${site.reel}`;
const plain = () =>
  sharp({ create: { width: 200, height: 200, channels: 3, background: '#2f9c8f' } })
    .png()
    .toBuffer();
/** What a call answers; the tests know what is in it. */
const get = async (path: string) => (await site.fan.send('GET', path)).body as Record<string, unknown>;
const reel = async () =>
  (await get(`/api/reel/getReel/${site.reel}`)).data as { likeCount: number; shareviews: number };
const likesOf = async () => (await reel()).likeCount;

describe('on a site without an app', () => {
  it('a newcomer follows, comments and is answered', async () => {
    const { page, complaints, leave } = await site.open({ viewport: phone });
    await visit(page, address());
    await follow(page).click();
    await arrive(page, '**/LoginGoogle');
    await signUpByForms(page, { name: 'Nila Das', username: 'nila.das' });
    await page.getByText('You follow @zoya now.').waitFor();
    await main(page).getByRole('link', { name: 'Back to where you were' }).click();
    await arrive(page, `**${address()}`);
    await expect.poll(() => follow(page).textContent()).toBe('Following');
    await rail(page, /comment/).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Write a comment').fill('Where is this?');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('dialog').getByText('Where is this?').waitFor();
    await page.getByRole('dialog', { name: '1 comment' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const creator = await site.open({ viewport: desktop, person: site.creator });
    await visit(creator.page, address());
    await creator.page.getByRole('button', { name: 'Reply to @nila.das' }).click();
    const reply = creator.page.getByRole('complementary').getByLabel('Write a comment');
    await expect.poll(() => reply.inputValue()).toContain('@nila.das');
    await reply.focus();
    await creator.page.keyboard.type('In Jaipur');
    await creator.page.keyboard.press('Enter');
    await creator.page.getByText('In Jaipur').waitFor();
    const below = creator.page.getByRole('listitem').filter({ hasText: 'Where is this?' }).locator('+ li');
    await expect.poll(() => below.textContent()).toContain('In Jaipur');
    await expect.poll(async () => (await get(`/api/reel/comments/${site.reel}`)).commentCount).toBe(2);
    await creator.leave();

    await visit(page, address());
    await expect.poll(() => follow(page).textContent()).toBe('Following');
    await rail(page, /2 comments/).click();
    await page.getByRole('dialog').getByText('In Jaipur').waitFor();

    await visit(page, '/Activity');
    await main(page)
      .getByRole('link', { name: /mentioned you/ })
      .click();
    await arrive(page, `**${address()}#*`);
    const answer = page.getByRole('dialog').locator('li[aria-current]');
    await expect.poll(() => answer.textContent()).toContain('In Jaipur');
    const sheet = page.getByRole('dialog');
    const edges = async () => {
      const box = await sheet.boundingBox();
      return box && [box.x, box.width, box.y + box.height];
    };
    // Once it has risen.
    await expect.poll(edges).toEqual([0, phone.width, phone.height]);
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('a double tap likes with a heart, and never takes the like back', async () => {
    const person = await signUpAt(site.origin, 'taps.twice');
    const { page, leave } = await site.open({ viewport: phone, person, reducedMotion: 'reduce' });
    await visit(page, address());
    const before = await likesOf();
    for (const _tap of [1, 2]) {
      await page.locator('.stage').dblclick({ position: { x: 150, y: 300 } });
      await page.locator('body > svg').waitFor();
      await expect.poll(() => rail(page, /like/).getAttribute('aria-pressed')).toBe('true');
      await expect.poll(() => page.locator('body > svg').count()).toBe(0);
    }
    await expect.poll(likesOf).toBe(before + 1);
    await visit(page, address());
    await expect.poll(() => rail(page, /like/).getAttribute('aria-pressed')).toBe('true');
    await rail(page, /like/).click();
    await expect.poll(likesOf).toBe(before);
    await leave();
  });

  it('in Hindi too, the name of the creator can be read beside the button that says that one follows [long]', async () => {
    const person = await signUpAt(site.origin, 'reads.names');
    const { page, leave } = await site.open({ viewport: phone, person });
    await visit(page, `${address()}&lang=hi`);
    await page.getByRole('button', { name: '@zoya को फ़ॉलो करें' }).click();
    await page.getByRole('button', { name: '@zoya को फ़ॉलो करें', pressed: true }).waitFor();
    const name = page.locator('.player-details').getByText('@zoya', { exact: true });
    // A name of a usual length, which many people have.
    const cut = await name.evaluate((shown) => {
      shown.textContent = '@tara.trails';
      return shown.scrollWidth - shown.clientWidth;
    });
    expect(cut).toBe(0);
    await leave();
  });

  it('without a network a like is taken back with a sentence [long]', async () => {
    const person = await signUpAt(site.origin, 'likes.offline');
    const { page, leave } = await site.open({ viewport: phone, person });
    await visit(page, address());
    await page.route('**/api/reel/like/*', (route) => route.abort());
    await rail(page, /like/).click();
    await page.getByText(/^Your like wasn't saved\./).waitFor();
    await expect.poll(() => rail(page, /like/).getAttribute('aria-pressed')).toBe('false');
    await leave();
  });

  it('sharing a reel counts once for a person [long]', async () => {
    const person = await signUpAt(site.origin, 'shares.once');
    const { page, leave } = await site.open({ viewport: phone, person });
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => undefined } });
    });
    await visit(page, address());
    const shares = async () => (await reel()).shareviews;
    const before = await shares();
    await rail(page, /share/).click();
    for (const _press of [1, 2]) await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(shares).toBe(before + 1);
    await leave();
  });

  it('name and picture are changed in Settings [long]', async () => {
    const person = await signUpAt(site.origin, 'edits.own');
    const { page, leave } = await site.open({ viewport: phone, person });
    await visit(page, '/Settings');
    await page.getByLabel('Name', { exact: true }).fill('Edited Name');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').first().waitFor();
    await page
      .getByLabel('Profile picture')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await plain() });
    await page.getByRole('button', { name: 'Remove', exact: true }).waitFor();
    expect((await get(`/api/getuser/${person.id}`)).data).toMatchObject({
      name: 'Edited Name',
      profilePic: expect.stringMatching(/./),
    });
    expect(await violationsOf(page)).toEqual([]);
    await leave();
  });

  it('pages are the same for everybody, in the words of such a site, in Hindi too', async () => {
    const { page, leave } = await site.open({ viewport: desktop });
    await visit(page, '/DownloadApp?lang=hi');
    await page.getByRole('heading', { name: 'झलक आपकी होम स्क्रीन पर' }).waitFor();
    expect(await page.getByRole('banner').getByRole('link', { name: 'इंस्टॉल करें' }).count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    await leave();
  });
});
