import { appendFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { takenOver, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { giveReels } from '#testing/fixtures/reel-copies.ts';
import { someOf } from '#testing/share.ts';

const site = sharedSite();
/** Has captions in two languages. */
let reel: string;
/** Has none: the first reel gets captions from the profile, the second by the API. */
let bare: string[];

let creator: Client;
let publisher: Client;

beforeAll(async () => {
  creator = await signUpAt(site.origin, 'captions.creator');
  publisher = await signUpAt(site.origin, 'captions.publisher');
  [reel = '', ...bare] = await giveReels(site, creator.id, ['With words', 'Without words', 'Without any']);
  await give(reel, 'en', 'Hello <b>again</b>');
  await give(reel, 'hi', 'नमस्ते');
});

/** Adds captions to a reel of the creator, as the app does. */
async function give(id: string | undefined, language: string, words: string) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file(words).buffer)]), 'words.vtt');
  const response = await fetch(`${site.origin}/api/reel/captions/${id}/${language}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${creator.token}` },
    body: form,
  });
  expect(response.status).toBe(200);
}

const file = (words: string, name = 'words.vtt') => ({
  name,
  mimeType: 'text/vtt',
  buffer: Buffer.from(`WEBVTT\n\n00:00.000 --> 03:00.000\n${words}\n`),
});
const dialog = (page: Page) => page.getByRole('dialog');
const lines = (page: Page) => page.locator('[data-captions]');
/** Waits until the video plays: it shows no captions before. */
const plays = (page: Page) =>
  expect
    .poll(() =>
      page.locator('.clip:not([inert]) video').evaluate((video: HTMLVideoElement) => video.currentTime),
    )
    .toBeGreaterThan(0.1);

async function openDialog(page: Page) {
  await visit(page, '/UserProfile');
  await page.getByRole('button', { name: 'Edit Without words' }).click();
  await dialog(page).getByRole('button', { name: 'Edit subtitles' }).click();
  await dialog(page).getByRole('heading', { name: 'Subtitles of this reel' }).waitFor();
}

async function add(page: Page, words: string, language: string) {
  await dialog(page).getByLabel('WebVTT file').setInputFiles(file(words));
  await dialog(page).getByLabel('Language of the subtitles').selectOption(language);
  await dialog(page)
    .getByRole('button', { name: /^(Add|Replace) subtitles$/ })
    .click();
}

describe('a creator', () => {
  it('adds, replaces and removes captions from the profile, and sees why a file is invalid [long]', async () => {
    const { page, complaints, leave } = await site.open({ person: creator });
    await openDialog(page);
    await dialog(page).getByText('This reel has no subtitles yet.').waitFor();
    const input = dialog(page).getByLabel('WebVTT file');
    await input.setInputFiles({
      name: 'a.vtt',
      mimeType: 'text/vtt',
      buffer: Buffer.from('1\n00:00:01,000'),
    });
    await dialog(page)
      .getByText('This is not a WebVTT file: its first line must begin with WEBVTT.')
      .waitFor();
    await input.setInputFiles({ ...file(''), buffer: Buffer.from([0x57, 0xff]) });
    await dialog(page).getByText('This file is not text in UTF-8.').waitFor();
    await input.setInputFiles({ ...file(''), buffer: Buffer.alloc(256 * 1024 + 1, 'a') });
    await dialog(page).getByText('This file is larger than 256 KB.').waitFor();

    await add(page, 'Hello', 'en');
    await dialog(page).getByRole('button', { name: 'Remove the subtitles in English' }).waitFor();
    await add(page, 'नमस्ते', 'hi');
    await dialog(page).getByRole('button', { name: 'Remove the subtitles in Hindi' }).waitFor();
    await dialog(page).getByLabel('WebVTT file').setInputFiles(file('Hello again'));
    await dialog(page).getByRole('button', { name: 'Replace subtitles' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Remove the subtitles in English' }).click();
    await expect.poll(() => dialog(page).getByRole('listitem').count()).toBe(1);
    await add(page, 'Hello <b>again</b>', 'en');
    await expect.poll(() => dialog(page).getByRole('listitem').count()).toBe(2);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog(page).count()).toBe(0);

    // The player shows the same.
    await page.getByRole('link', { name: /^Without words/ }).click();
    await expect
      .poll(() =>
        page
          .locator('.clip:not([inert]) track')
          .evaluateAll((tracks) => tracks.map((track) => track.getAttribute('srclang'))),
      )
      .toEqual(['en', 'hi']);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('whose file cannot be checked without a connection is told so, and the page stays [long]', async () => {
    const { page, leave } = await site.open({ person: creator });
    await page.route('**/assets/check-file-*.js', (route) => route.abort());
    await openDialog(page);
    await dialog(page).getByLabel('WebVTT file').setInputFiles(file('Hello'));
    await dialog(page).getByText("Couldn't load that. Check your connection and try again.").waitFor();
    await leave();
  });

  it.each(['/ReelPost', '/ReelPostByLink'])(
    '%s publishes a reel once, with its captions, if Publish is pressed twice at once, and again while its captions are sent [long]',
    async (path) => {
      const { page, leave } = await site.open({ person: publisher });
      const sent: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (request.method() === 'POST' && /\/api\/(uploads|reel\/add)$/.test(pathname)) sent.push(pathname);
      });
      const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route('**/api/reel/captions/**', async (route) => {
        asked.resolve();
        await answer.promise;
        await route.continue();
      });
      const clip = join(site.data, `pressed${path.replace('/', '-')}.mp4`);
      const source = `testsrc2=size=180x320:rate=25,hue=h=${path.length * 10}`;
      await makeClip(clip, { seconds: 1, source });
      await visit(page, path);
      await page.getByLabel('Video', { exact: true }).setInputFiles(clip);
      await page.getByAltText(/^Cover/).waitFor();
      const caption = `Pressed often on ${path}`;
      await page.getByLabel('Caption').fill(caption);
      await page.getByLabel('WebVTT file').setInputFiles(file('Once'));
      await page.getByLabel('Language of the subtitles').selectOption('ta');
      await page.getByText('words.vtt').waitFor();
      const publish = page
        .locator('form')
        .filter({ has: page.getByLabel('Caption') })
        .locator('button[type=submit]');
      // The page has not drawn anything between the two.
      await publish.evaluate((button: HTMLButtonElement) => {
        button.click();
        button.click();
      });
      await asked.promise;
      await page.getByRole('listitem').filter({ hasText: caption }).first().waitFor();
      await publish.click({ force: true });
      answer.resolve();
      await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
      await expect.poll(() => page.getByLabel('Caption').inputValue()).toBe('');
      // The video and its thumbnail.
      expect(sent.toSorted()).toEqual(['/api/reel/add', '/api/uploads', '/api/uploads']);
      await expect.poll(() => page.getByText('words.vtt').count()).toBe(0);
      const newest = async () =>
        (await (await fetch(`${site.origin}/api/reel/getFrienddata/${publisher.id}`)).json()).data[0];
      await expect.poll(newest).toMatchObject({ caption, captionTracks: [{ language: 'ta' }] });
      const [track] = (await newest()).captionTracks;
      expect(await (await fetch(`${site.origin}${track.url}`)).text()).toContain('Once');
      await leave();
    },
  );
});

describe('a file that changed since it was chosen [long]', () => {
  const words = 'Choose the file again. It was changed or moved.';
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
  async function fileOnDisk(name: string) {
    const path = join(site.data, name);
    await writeFile(path, file('Before').buffer);
    // The browser compares whole seconds.
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await utimes(path, anHourAgo, anHourAgo);
    return path;
  }

  it.each(someOf(['/ReelPost', '/ReelPostByLink'], 1))(
    '%s must be chosen again before the video is sent, and nothing else is lost',
    async (path) => {
      const { page, leave } = await site.open({ person: publisher });
      const sent: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
      const clip = join(site.data, `changed${path.replace('/', '-')}.mp4`);
      await makeClip(clip, { seconds: 1, width: 180, height: 320 });
      const captions = await fileOnDisk(`changed${path.replace('/', '-')}.vtt`);
      await visit(page, path);
      await page.getByLabel('Video', { exact: true }).setInputFiles(clip);
      await page.getByAltText(/^Cover/).waitFor();
      await page.getByLabel('Caption').fill('Edited meanwhile');
      await page.getByLabel('WebVTT file').setInputFiles(captions);
      await page.getByText(/^changed.*\.vtt$/).waitFor();
      await appendFile(captions, '\nAfter\n');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText(words).waitFor();
      expect(await focused(page)).toBe('Choose a .vtt file');
      expect(sent.filter((url) => /uploads|reel\/add/.test(url))).toEqual([]);
      expect(await page.getByLabel('Caption').inputValue()).toBe('Edited meanwhile');
      await page.getByAltText(/^Cover/).waitFor();
      await page.getByLabel('WebVTT file').setInputFiles(captions);
      await expect.poll(() => page.getByText(words).count()).toBe(0);
      await leave();
    },
  );

  it('must be chosen again for a reel that is published', async () => {
    const { page, leave } = await site.open({ person: creator });
    await openDialog(page);
    const captions = await fileOnDisk('changed.vtt');
    await dialog(page).getByLabel('WebVTT file').setInputFiles(captions);
    await dialog(page).getByText('changed.vtt').waitFor();
    await appendFile(captions, '\nAfter\n');
    // Whether the reel has subtitles in this language depends on the tests before.
    await dialog(page)
      .getByRole('button', { name: /^(Add|Replace) subtitles$/ })
      .click();
    await dialog(page).getByText(words).waitFor();
    await dialog(page).getByText('Choose a .vtt file').waitFor();
    await leave();
  });
});

describe('a visitor', () => {
  it('sees captions in the chosen language on every visit until they are turned off', async () => {
    const { page, complaints, leave } = await site.open();
    await visit(page, `/videoplayer?reel=${reel}`);
    const menu = page.locator('summary[aria-label="Subtitles"]');
    await menu.waitFor();
    await plays(page);
    expect(await lines(page).count()).toBe(0);
    await menu.click();
    await page.getByRole('button', { name: 'Hindi' }).click();
    await expect.poll(() => lines(page).textContent()).toBe('नमस्ते');
    expect(await lines(page).getAttribute('lang')).toBe('hi');

    await page.reload();
    await expect.poll(() => lines(page).textContent()).toBe('नमस्ते');
    await page.keyboard.press('c');
    await expect.poll(() => lines(page).count()).toBe(0);
    await page.reload();
    await takenOver(page);
    await plays(page);
    expect(await lines(page).count()).toBe(0);
    await page.keyboard.press('c');
    await expect.poll(() => lines(page).textContent()).toBe('नमस्ते');
    // Escape closes the menu and not the player.
    await menu.click();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('button', { name: 'English' }).isVisible()).toBe(false);
    await menu.click();
    await page.getByRole('button', { name: 'English' }).click();
    await expect.poll(() => lines(page).textContent()).toBe('Hello again');
    // We draw the captions ourselves: the browser draws none beside them.
    expect(
      await page
        .locator('video')
        .first()
        .evaluate(
          (video: HTMLVideoElement) => [...video.textTracks].filter(({ mode }) => mode === 'showing').length,
        ),
    ).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('sees captions above everything, and their menu on the screen, at any size [long]', async () => {
    const { page, leave } = await site.open();
    await page.addInitScript(() => localStorage.setItem('captions', 'on'));
    await visit(page, `/videoplayer?reel=${reel}`);
    await lines(page).waitFor();
    const covered = () =>
      lines(page).evaluate((element) => {
        const { left, right, top, bottom } = (element.firstElementChild ?? element).getBoundingClientRect();
        const inside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
        const middle = document.elementsFromPoint((left + right) / 2, (top + bottom) / 2)[0];
        return { inside, middle: element.contains(middle ?? null) };
      });
    const menu = page.locator('summary[aria-label="Subtitles"]');
    const off = page.getByRole('button', { name: 'Off', exact: true });
    for (const [width, height] of [
      [320, 568],
      [390, 844],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(covered, { message: `${width} × ${height}` }).toEqual({ inside: true, middle: true });
      await menu.click();
      await off.waitFor();
      const isInside = async () => {
        const { x = -1, width: wide = width } = (await off.boundingBox()) ?? {};
        return x >= 0 && x + wide <= width;
      };
      await expect.poll(isInside, { message: `${width} × ${height}` }).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await menu.click();
      await off.waitFor({ state: 'hidden' });
    }
    await leave();
  });

  it('sees a toggle for one language, and no button without captions [long]', async () => {
    const { page, leave } = await site.open();
    const [, id] = bare;
    await visit(page, `/videoplayer?reel=${id}`);
    await page.getByRole('button', { name: 'Back' }).waitFor();
    expect(await page.getByLabel('Subtitles', { exact: true }).count()).toBe(0);
    await give(id, 'ta', 'Out loud');
    const button = page.getByRole('button', { name: 'Subtitles' });
    // The old page may be cached for a second.
    const shown = async () => {
      await visit(page, `/videoplayer?reel=${id}`);
      return await button.count();
    };
    await expect.poll(shown).toBe(1);
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
    await button.click();
    await expect.poll(() => lines(page).textContent()).toBe('Out loud');
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
    await leave();
  });
});
