import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';

const site = sharedSite();
let person: Client;
let photo: string;
beforeAll(async () => {
  person = await signUpAt(site.origin, 'share.tara');
  photo = await publishPicture(site.db, site.data, person.id, 'A photo to share', new Date(), '#3a7');
});

const dialog = (page: Page) => page.getByRole('dialog');
const open = (page: Page) => page.getByRole('button', { name: 'Share', exact: true }).click();
const copied = (page: Page) => page.evaluate(() => Reflect.get(window, 'copied') as unknown);

/** A visitor whose device shares links, and whose browser allows to copy, or refuses both. */
async function visitorWho(can: 'share' | 'copy') {
  const visitor = await site.open();
  await visitor.page.addInitScript((can) => {
    const keep = (words: string) =>
      void Object.assign(window, { [can === 'share' ? 'sent' : 'copied']: words });
    const share = async ({ url }: { url: string }) => {
      if (can !== 'share') throw new DOMException('no', 'NotAllowedError');
      keep(url);
    };
    const writeText = async (words: string) => keep(words);
    Object.defineProperty(navigator, 'share', { value: share });
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
  }, can);
  return visitor;
}

describe('a page is shared by a dialog', () => {
  it('of a photo, of a profile and of one’s own, with WhatsApp, its link and the code of it', async () => {
    const { page, complaints, leave } = await site.open({ person });
    for (const [path, shared] of [
      [`/post/${photo}`, `/post/${photo}`],
      [`/user/${person.id}`, `/user/${person.id}`],
      ['/UserProfile', `/user/${person.id}`],
    ] as const) {
      await visit(page, path);
      await open(page);
      const address = `${site.origin}${shared}`;
      expect(await dialog(page).getByLabel('Link to this page').inputValue()).toBe(address);
      const whatsApp = dialog(page).getByRole('link', { name: 'Send on WhatsApp' });
      expect(await whatsApp.getAttribute('href')).toBe(`https://wa.me/?text=${encodeURIComponent(address)}`);
      await dialog(page).getByRole('img', { name: 'QR code of this link' }).waitFor();
      // Only a reel can be embedded.
      expect(await dialog(page).getByText('Embed on a website').count()).toBe(0);
      await page.keyboard.press('Escape');
      const focused = () =>
        page.locator(':focus').evaluate(({ ariaLabel, textContent }) => ariaLabel ?? textContent);
      await expect.poll(focused).toBe('Share');
    }
    await open(page);
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('sends the link by the device, and copies it if the device refuses [long]', async () => {
    for (const can of ['share', 'copy'] as const) {
      const { page, leave } = await visitorWho(can);
      await visit(page, `/post/${photo}`);
      await open(page);
      await dialog(page).getByRole('button', { name: 'Send link…' }).click();
      const sent =
        can === 'share' ? () => page.evaluate(() => Reflect.get(window, 'sent')) : () => copied(page);
      await expect.poll(sent).toBe(`${site.origin}/post/${photo}`);
      if (can === 'copy') await dialog(page).getByText('Link copied.').waitFor();
      await leave();
    }
  });

  it('speaks Hindi [long]', async () => {
    const { page, leave } = await visitorWho('copy');
    await visit(page, `/user/${person.id}?lang=hi`);
    await page.getByRole('button', { name: 'शेयर', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'लिंक कॉपी करें' }).click();
    await dialog(page).getByText('लिंक कॉपी हो गया।').waitFor();
    expect(await copied(page)).toBe(`${site.origin}/user/${person.id}`);
    await leave();
  });
});
