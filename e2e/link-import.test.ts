import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '#server/boot/listen.ts';
import type { Outside } from '#server/boot/outside.ts';
import { loadSite } from '#server/http/pages/page-renderer.ts';
import { openBrowser } from '#testing/browser/browser.ts';
import { arrive, openVisitor, type Visitor, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { guardTo, type Site, startSite } from '#testing/servers/internet.ts';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { someOf } from '#testing/share.ts';

let site: Site;
let server: TestServer;
let closed: TestServer;
let origin: string;
let closedOrigin: string;
/** A server that fetches one link a day without a login. */
let closedSoon: TestServer;
let closedSoonOrigin: string;
let browser: Browser;
let folder: string;
let clip: Buffer;
/** How the site behind a link behaves in this test. */
let find: NonNullable<Outside['extractor']>;

const youtube = 'https://youtu.be/dQw4w9WgXcQ';
const found = { media: 'https://r1---sn.googlevideo.com/videoplayback', title: 'A dance on the roof' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-link-import-'));
  await makeClip(join(folder, 'clip.mp4'), { seconds: 3 });
  clip = await readFile(join(folder, 'clip.mp4'));
  site = await startSite((_request, response) => response.end(clip));
  const built = await loadSite();
  const outside: Outside = { guard: guardTo(site), extractor: (link, signal) => find(link, signal) };
  server = await startTestServer({}, { site: built, outside });
  closed = await startTestServer({ LINK_IMPORT: 'off' }, { site: built });
  origin = await listen(server.app, '127.0.0.1', 0);
  closedOrigin = await listen(closed.app, '127.0.0.1', 0);
  closedSoon = await startTestServer({ ANONYMOUS_LINKS_PER_DAY: '1' }, { site: built, outside });
  closedSoonOrigin = await listen(closedSoon.app, '127.0.0.1', 0);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await closed?.close();
  await closedSoon?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  find = async () => found;
});

let people = 0;
/** A new person for each test, because the same link is not fetched again. */
async function newPerson(at = origin): Promise<Client> {
  people += 1;
  return await signUpAt(at, `linker${people}`);
}

async function open(path: string, person?: Client, at = origin): Promise<Visitor> {
  const visitor = await openVisitor(browser, at, {
    viewport: { width: 390, height: 844 },
    ...(person ? { person } : {}),
  });
  await visit(visitor.page, path);
  return visitor;
}

const linkField = (page: Page) => page.getByLabel('YouTube or Instagram link');
async function fetchLink(page: Page, link = youtube) {
  await linkField(page).fill(link);
  await page.getByRole('button', { name: 'Fetch video' }).click();
}
const fetchedWords = (page: Page) => page.getByText('Video fetched successfully!');
const playing = (page: Page) =>
  page.locator('video').evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    await video.play();
    return video.videoWidth;
  });

it('/ReelPostByLink asks a visitor to log in [long]', async () => {
  const { page, complaints, leave } = await open('/ReelPostByLink');
  await page.getByRole('main').getByRole('link', { name: 'Login' }).waitFor();
  expect(await linkField(page).count()).toBe(0);
  expect(complaints).toEqual([]);
  await leave();
});

it('the downloader is linked in the footer, shows the video and saves its file, without a login under the rules for visitors', async () => {
  const { page, complaints, leave } = await open('/About');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Link downloader' }).click();
  await arrive(page, /LinkDownloader/);
  await page
    .getByText('Up to 5 links a day. Everyone on your network shares this limit', { exact: false })
    .waitFor();
  await page.getByText('Each file is deleted after an hour.').waitFor();
  await linkField(page).fill('https://www.instagram.com/reel/C1a-B2_c3D4/');
  // Enter submits it.
  await linkField(page).press('Enter');
  await fetchedWords(page).waitFor();
  await page.getByText('The file is deleted after an hour.', { exact: false }).waitFor();
  await page.getByRole('heading', { name: found.title }).waitFor();
  expect(await playing(page)).toBe(270);
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the file' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('jhalak-video.mp4');
  expect((await readFile(await saved.path())).toString('latin1', 4, 8)).toBe('ftyp');
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
  await arrive(page, /LoginGoogle/);
  expect(complaints).toEqual([]);
  await leave();
});

it('the downloader says when the daily limit is reached, and offers the login [long]', async () => {
  const { page, leave } = await open('/LinkDownloader', undefined, closedSoonOrigin);
  await page
    .getByText('Up to 1 link a day. Everyone on your network shares this limit', { exact: false })
    .waitFor();
  await fetchLink(page);
  await fetchedWords(page).waitFor();
  await fetchLink(page);
  await page.getByText('Without a login, 1 link a day can be fetched', { exact: false }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Login' }).waitFor();
  await leave();
});

/** Both pages show the same form; `test:long` takes both. */
describe.each(someOf(['/ReelPostByLink', '/LinkDownloader'], 1))('%s [long]', (path) => {
  it('rejects an empty link and a link to another site, says when a video is too long or cannot be fetched, and keeps the link; the next try may succeed', async () => {
    const { page, leave } = await open(path, await newPerson());
    const refusal = page.getByText('Please paste a valid YouTube or Instagram link.');
    await page.getByRole('button', { name: 'Fetch video' }).click();
    await refusal.waitFor();
    await expect.poll(() => linkField(page).evaluate((field) => field === document.activeElement)).toBe(true);

    find = async () => ({ ...found, seconds: 3600 });
    await fetchLink(page, 'https://youtu.be/a1B2c3D4e5F');
    await page.getByText('This video is longer than 3 minutes; please choose a shorter one.').waitFor();

    find = async () => {
      throw new Error('nobody may get here');
    };
    await fetchLink(page, 'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ');
    await refusal.waitFor();

    find = async () => {
      throw new Error('private');
    };
    await fetchLink(page);
    await page.getByText('Failed to fetch video. Please check the link.').waitFor();
    expect(await linkField(page).inputValue()).toBe(youtube);
    find = async () => found;
    await page.getByRole('button', { name: 'Fetch video' }).click();
    await fetchedWords(page).waitFor();
    await expect.poll(() => page.getByText('Failed to fetch video.').count()).toBe(0);
    await leave();
  });

  it('says so when importing is disabled', async () => {
    const { page, complaints, leave } = await open(path, await newPerson(closedOrigin), closedOrigin);
    await page.getByText("We can't fetch links right now.").waitFor();
    expect(await linkField(page).count()).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('a reel from a link', () => {
  it('is previewed, confirmed, published with captions, plays, and shows its source [long]', async () => {
    const { page, complaints, leave } = await open('/ReelPostByLink', await newPerson());
    await fetchLink(page);
    await fetchedWords(page).waitFor();
    expect(await playing(page)).toBe(270);
    const categories = page.getByRole('group', { name: /Categories/ }).getByRole('button');
    await expect.poll(() => categories.count()).toBe(5);
    await page.getByRole('button', { name: 'Dance' }).click();
    await page.getByLabel('Caption').fill('From my channel');
    await page.getByLabel('WebVTT file').setInputFiles({
      name: 'words.vtt',
      mimeType: 'text/vtt',
      buffer: Buffer.from('WEBVTT\n\n00:00.000 --> 03:00.000\nOut loud\n'),
    });
    await page.getByLabel('Language of the subtitles').selectOption('ta');
    await page.getByText('words.vtt').waitFor();

    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Please confirm that this video is yours to publish.').waitFor();
    const box = page.getByRole('checkbox');
    await expect.poll(() => box.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Publish' }).click();

    const card = page.getByRole('listitem').filter({ hasText: 'From my channel' });
    await card.getByText('Published.').waitFor();
    // The form is cleared after its captions are sent, and the reel may be ready before.
    await expect.poll(() => page.getByLabel('Caption').inputValue()).toBe('');
    await expect.poll(() => box.count()).toBe(0);
    await expect.poll(() => linkField(page).inputValue()).toBe('');
    await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(youtube);
    await expect.poll(() => page.getByText('words.vtt').count()).toBe(0);
    await card.getByRole('link', { name: 'Watch it' }).click();
    await arrive(page, /videoplayer/);
    const source = page.getByRole('link', { name: 'Source: youtube.com' });
    await source.waitFor();
    expect(await source.getAttribute('href')).toBe('https://www.youtube.com/watch?v=dQw4w9WgXcQ');
    expect(await source.getAttribute('rel')).toBe('noopener nofollow');
    await page.getByRole('button', { name: 'Subtitles' }).click();
    await expect.poll(() => page.locator('[data-captions]').textContent()).toBe('Out loud');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('may use a file instead, which replaces the link [long]', async () => {
    const { page, leave } = await open('/ReelPostByLink', await newPerson());
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Please select a video first').waitFor();
    await fetchLink(page);
    await fetchedWords(page).waitFor();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Remove video' }).click();
    await page.locator('input[type=file]').first().setInputFiles(join(folder, 'clip.mp4'));
    await page.getByLabel('Caption').fill('From my phone');
    // A person is not asked to confirm their own file.
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0);
    await page.getByRole('button', { name: 'Publish' }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'From my phone' });
    await card.getByText('Published.').waitFor();
    await card.getByRole('link', { name: 'Watch it' }).click();
    await arrive(page, /videoplayer/);
    await page.getByText('From my phone').first().waitFor();
    expect(await page.getByText(/^Source:/).count()).toBe(0);
    await leave();
  });
});

it('a link that was typed but not sent is restored for the same person, and for nobody else [long]', async () => {
  const [first, second] = [await newPerson(), await newPerson()];
  const { page, leave } = await open('/LinkDownloader', undefined);
  const signIn = (person?: Client) =>
    page.evaluate(
      (kept) => {
        for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value);
        if (!kept.authToken) localStorage.removeItem('authToken');
      },
      person ? { user: JSON.stringify(person.user), authToken: person.token } : { authToken: '' },
    );
  const shown = async (person: Client) => {
    await signIn(person);
    await visit(page, '/LinkDownloader');
    return await linkField(page).inputValue();
  };
  expect(await shown(first)).toBe('');
  await linkField(page).fill(youtube);
  expect(await shown(second)).toBe('');
  await expect.poll(() => shown(first)).toBe(youtube);
  await leave();
});
