import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';

const site = sharedSite();
let person: Client;
beforeAll(async () => {
  person = await signUpAt(site.origin, 'sharer');
});

/** Shares files as the system does: a form sent to the address of the manifest, handled by the service worker. */
async function share(page: Page, files: { name: string; type: string; base64: string }[]) {
  await visit(page, '/About');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.evaluate(async (given) => {
    const manifest = await (await fetch('/manifest.webmanifest')).json();
    const { action, method, enctype, params } = manifest.share_target;
    const form = Object.assign(document.createElement('form'), { action, method, enctype });
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true });
    input.name = params.files[0].name;
    const list = new DataTransfer();
    for (const { name, type, base64 } of given)
      list.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], name, { type }));
    input.files = list.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  }, files);
}
const picture = async (page: Page) => ({
  name: 'From the gallery.png',
  type: 'image/png',
  base64: (await page.screenshot()).toString('base64'),
});
const shelved = (page: Page) => page.evaluate(() => caches.has('jhalak-shared-1'));

describe('a file that another app shares with Jhalak', () => {
  it('opens the page that publishes it, with the file chosen, once, also without a type; what is no video is refused', async () => {
    const { page, leave } = await site.open({ person, serviceWorkers: 'allow' });
    // A page with a chosen file asks before it is left.
    page.on('dialog', (dialog) => dialog.accept());
    const photo = await picture(page);
    await share(page, [photo]);
    await arrive(page, '**/PhotoPost');
    await page.getByRole('img', { name: 'Preview of From the gallery.png' }).waitFor();
    await expect.poll(() => shelved(page)).toBe(false);

    // By its first bytes, or by its name.
    await share(page, [{ name: 'shared', type: '', base64: photo.base64 }]);
    await arrive(page, '**/PhotoPost');
    await page.getByRole('img', { name: 'Preview of shared' }).waitFor();
    await share(page, [{ name: 'shared.HEIC', type: '', base64: btoa('unknown bytes of a photo') }]);
    await arrive(page, '**/PhotoPost');
    await page.getByText('This file is not a JPEG, PNG, WebP, AVIF or HEIC photo.').waitFor();

    await share(page, [{ name: 'notes.txt', type: 'text/plain', base64: btoa('not a video at all') }]);
    await arrive(page, '**/ReelPost');
    await page.getByText('This file is not a video.').waitFor();

    const path = join(site.data, 'shared.mp4');
    await makeClip(path, { seconds: 1 });
    const base64 = await readFile(path, 'base64');
    for (const { name, type } of [
      { name: 'From the camera.mp4', type: 'video/mp4' },
      { name: 'shared', type: '' },
    ]) {
      await share(page, [{ name, type, base64 }]);
      await arrive(page, '**/ReelPost');
      await page.getByLabel(`Preview of ${name}`).waitFor();
      const cover = page.getByAltText(/^Cover/);
      await expect
        .poll(() => cover.evaluate((one: HTMLImageElement) => [one.naturalWidth, one.naturalHeight]))
        .toEqual([300, 533]);
      await expect.poll(() => shelved(page)).toBe(false);
    }
    await leave();
  });

  it('is kept while the person logs in [long]', async () => {
    const { page, leave } = await site.open({ serviceWorkers: 'allow' });
    await share(page, [await picture(page)]);
    await arrive(page, '**/PhotoPost');
    await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
    await page.getByRole('main').getByRole('link', { name: /email/i }).click();
    await page.getByLabel('Email').fill('sharer@people.example');
    await page.getByLabel('Password', { exact: true }).fill('a long password');
    await page.keyboard.press('Enter');
    await arrive(page, /PhotoPost|UserProfile/);
    await visit(page, '/PhotoPost');
    await page.getByRole('img', { name: 'Preview of From the gallery.png' }).waitFor();
    await leave();
  });
});
