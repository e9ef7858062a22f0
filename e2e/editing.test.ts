import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { giveReels } from '#testing/fixtures/reel-copies.ts';

const site = sharedSite();
let creator: Client;
let reels: string[];
let photo: string;
beforeAll(async () => {
  creator = await signUpAt(site.origin, 'editing.tara');
  reels = await giveReels(site, creator.id, ['Kites over the rver', 'Boats in the rain']);
  photo = await publishPicture(site.db, site.data, creator.id, 'A quiet lane', new Date(), '#2a5a31');
});

const dialog = (page: Page) => page.getByRole('dialog');
const tile = (page: Page, caption: string) =>
  page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: caption });
const isClosed = (page: Page) => expect.poll(() => dialog(page).count()).toBe(0);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

describe('a creator edits (decisions §3)', () => {
  it('a reel from its tile by keyboard: the same fields as when publishing, then marked in the player', async () => {
    const { page, complaints, leave } = await site.open({
      person: creator,
      viewport: { width: 390, height: 844 },
    });
    await visit(page, '/UserProfile');
    const button = page.getByRole('button', { name: 'Edit Kites over the rver' });
    await button.waitFor();
    const box = await button.boundingBox();
    expect([box?.width, box?.height]).toEqual([44, 44]);
    await button.focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('heading', { name: 'Edit reel' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const caption = dialog(page).getByLabel('Caption');
    expect(await caption.inputValue()).toBe('Kites over the rver');

    // What was typed is there again after the dialog was closed.
    await caption.fill('Kites over the river');
    await page.keyboard.press('Escape');
    await isClosed(page);
    await expect.poll(() => focused(page)).toBe('Edit Kites over the rver');
    await page.keyboard.press('Enter');
    await expect.poll(() => caption.inputValue()).toBe('Kites over the river');
    await dialog(page).getByLabel('Credit').fill('Meena');
    const dance = dialog(page).getByRole('button', { name: 'Dance', exact: true });
    await dance.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => dance.getAttribute('aria-pressed')).toBe('true');
    await dialog(page).getByText('1 of 3').waitFor();
    await dialog(page).getByLabel('Choose the cover').focus();
    await page.keyboard.press('End');
    await dialog(page).getByLabel('Credit').focus();
    await page.keyboard.press('Enter');
    await isClosed(page);
    await tile(page, 'Kites over the river').waitFor();
    await expect.poll(() => focused(page)).toBe('Edit Kites over the river');
    const { cover_key, cover_second } = await site.db
      .selectFrom('reels')
      .select(['cover_key', 'cover_second'])
      .where('id', '=', reels[0] ?? '')
      .executeTakeFirstOrThrow();
    expect(cover_second).toBeGreaterThan(1);
    const picture = tile(page, 'Kites over the river').locator('img');
    expect(await picture.getAttribute('src')).toContain(cover_key);
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);

    await visit(page, `/videoplayer?reel=${reels[0]}`);
    await page.getByText('Kites over the river · edited').waitFor();
    await page.getByText('Credit: Meena').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('a photo in Hindi: its page and the list say that it was edited [long]', async () => {
    const { page, complaints, leave } = await site.open({ person: creator });
    await visit(page, '/UserProfile?tab=posts&lang=hi');
    await page.getByRole('button', { name: 'A quiet lane संपादित करें' }).click();
    await dialog(page).getByRole('heading', { name: 'फ़ोटो संपादित करें' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog(page).getByLabel('कैप्शन').fill('एक शांत गली');
    await dialog(page).getByRole('button', { name: 'सहेजें' }).click();
    await isClosed(page);
    await tile(page, 'एक शांत गली').waitFor();
    for (const path of [`/post/${photo}`, '/ShowPosts']) {
      await visit(page, `${path}?lang=hi`);
      await page.getByText('एक शांत गली').first().waitFor();
      await page.getByText('· संपादित').first().waitFor();
    }
    expect(complaints).toEqual([]);
    await leave();
  });

  it('nothing that was reported and is undecided: the reason is shown and what was typed stays [long]', async () => {
    const reported = await fetch(`${site.origin}/api/report`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${site.fan.token}` },
      body: JSON.stringify({ kind: 'reel', id: reels[1], reason: 'spam' }),
    });
    expect(reported.status).toBe(200);
    const { page, leave } = await site.open({ person: creator });
    for (const [lang, edit, save, reason] of [
      ['en', 'Edit Boats in the rain', 'Save', 'We are looking at a report about this.'],
      ['hi', 'Boats in the rain संपादित करें', 'सहेजें', 'हम इसके बारे में एक शिकायत देख रहे हैं।'],
    ] as const) {
      await visit(page, `/UserProfile?lang=${lang}`);
      await page.getByRole('button', { name: edit }).click();
      await dialog(page).getByRole('textbox').first().fill('Something else');
      await dialog(page).getByRole('button', { name: save }).click();
      await dialog(page).getByRole('alert').filter({ hasText: reason }).waitFor();
      expect(await dialog(page).getByRole('textbox').first().inputValue()).toBe('Something else');
    }
    await leave();
  });
});
