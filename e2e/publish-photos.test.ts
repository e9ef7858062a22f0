import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, type VisitorOptions, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { seedOr, someOf } from '#testing/share.ts';

const site = sharedSite();
let person: Client;

beforeAll(async () => {
  person = await signUpAt(site.origin, 'photos.nadia');
});

const open = async (path: string, options: VisitorOptions = {}) => {
  const { page, leave } = await site.open({
    person,
    viewport: { width: 390, height: 844 },
    ...options,
  });
  await visit(page, path);
  return { page, leave };
};

/** A photo with unique bytes, with the metadata that a camera writes. */
let photos = 0;
async function photoBytes(width = 300, height = 400): Promise<Buffer> {
  photos += 1;
  const background = { r: photos * 20, g: 90, b: 160 };
  return await sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .withExif({ IFD0: { Make: 'A camera' } })
    .toBuffer();
}
async function photo(name = 'photo.jpg', bytes?: Buffer): Promise<string> {
  const path = join(site.data, name);
  await writeFile(path, bytes ?? (await photoBytes()));
  return path;
}

const chooser = (page: Page) => page.getByLabel('Photo', { exact: true });
const preview = (page: Page) => page.getByRole('img', { name: /^Preview of/ });
const publish = (page: Page) => page.getByRole('button', { name: 'Publish' }).click();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
const answer = async (path: string) =>
  (await (await fetch(`${site.origin}${path}`)).json()) as { data: Record<string, unknown>[] };
/** How many uploads and publications a page has requested. */
function requestsOf(page: Page) {
  const counts = { uploads: 0, publications: 0 };
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/uploads')) counts.uploads += 1;
    if (/\/(post|story)\/add$/.test(request.url())) counts.publications += 1;
  });
  return counts;
}
/** Gives a page a file as by drag and drop or by the clipboard. */
async function give(page: Page, how: 'drop' | 'paste', file: { name: string; type: string }, bytes: Buffer) {
  const target = page.getByRole('main').locator('form');
  await target.evaluate(
    (form, { how, file, base64 }) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const given = new DataTransfer();
      given.items.add(new File([content], file.name, { type: file.type }));
      const zone = form.querySelector('input[type=file]')?.parentElement ?? form;
      const about = { bubbles: true, cancelable: true };
      if (how === 'drop') zone.dispatchEvent(new DragEvent('drop', { ...about, dataTransfer: given }));
      else document.body.dispatchEvent(new ClipboardEvent('paste', { ...about, clipboardData: given }));
    },
    { how, file, base64: bytes.toString('base64') },
  );
}

describe('a photo post', () => {
  it('is published from the form, shown to everybody and on its owner’s page, and says when its file earns nothing', async () => {
    const { page, leave } = await open('/PhotoPost');
    expect(await page.getByRole('button', { name: 'Take a photo' }).isVisible()).toBe(false);
    const path = await photo('first.jpg');
    await publish(page);
    await page.getByText('Please select a photo!').waitFor();
    await expect.poll(() => focused(page)).toBe('Select a photo');

    await chooser(page).setInputFiles(path);
    await preview(page).waitFor();
    await page.getByLabel('Caption').fill('Over the roofs');
    await page.getByLabel('Description').fill('Seen from the terrace.');
    await publish(page);
    const card = page.getByRole('listitem').filter({ hasText: 'Over the roofs' });
    await card.getByText('Published. Everyone can see it now.').waitFor();
    await expect.poll(() => focused(page)).toContain('Over the roofs');
    await card.getByText('Counts 2 coins this month.', { exact: true }).waitFor();
    expect(await card.getByText('earns nothing').count()).toBe(0);
    await card.getByRole('button', { name: 'Share' }).click();
    const link = page.getByRole('dialog').getByLabel('Link to this page');
    expect(await link.inputValue()).toMatch(/\/post\/[\da-f-]{36}$/);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByLabel('Caption').inputValue()).toBe('');
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('');
    await expect.poll(() => preview(page).count()).toBe(0);

    await card.getByRole('link', { name: 'See it' }).click();
    await arrive(page, /\/post\//);
    const post = page.getByRole('article').filter({ hasText: 'Over the roofs' });
    await post.getByText('Seen from the terrace.').waitFor();
    const image = post.getByRole('img', { name: /Over the roofs/ });
    await expect
      .poll(() => image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth))
      .toBeGreaterThan(0);
    await visit(page, `/user/${person.id}?tab=posts`);
    await page.getByRole('link', { name: /Over the roofs/ }).waitFor();

    await visit(page, '/PhotoPost');
    await chooser(page).setInputFiles(path);
    await page.getByLabel('Caption').fill('The same again');
    await publish(page);
    const again = page.getByRole('listitem').filter({ hasText: 'The same again' });
    await again.getByText('so it earns nothing').waitFor();
    expect(await again.getByText('this month').count()).toBe(0);
    await again.getByRole('button', { name: 'Ask a person to look' }).click();
    await again.getByText('A person will look at it.').waitFor();
    await again.getByRole('button', { name: 'Ask a person to look' }).waitFor({ state: 'detached' });
    await leave();
  });
});

describe('a story', () => {
  it('is published from the form, shown among everybody’s stories, and says when it disappears [long]', async () => {
    const { page, leave } = await open('/StoryPost');
    await page.getByText('It disappears after 24 hours').waitFor();
    await publish(page);
    await page.getByText('Please select a photo!').waitFor();
    await chooser(page).setInputFiles(await photo());
    await page.getByLabel('Status text').fill('Only for today');
    await publish(page);
    const card = page.getByRole('listitem').filter({ hasText: 'Only for today' });
    await card.getByText('Others can see it for 24 hours').waitFor();
    expect(await card.getByRole('link', { name: 'See it as others do' }).getAttribute('href')).toBe(
      `/story/${person.id}`,
    );
    await expect.poll(() => page.getByLabel('Status text').inputValue()).toBe('');
    await expect
      .poll(async () => (await answer('/api/story/getallStorys')).data[0])
      .toMatchObject({ statustext: 'Only for today', userId: person.id, type: 'image', finish: 0 });
    await leave();
  });
});

/** Both pages show the same form; `test:long` takes both. */
const forms = [
  { path: '/PhotoPost', add: '**/api/post/add', words: 'Description' },
  {
    path: '/StoryPost',
    add: '**/api/story/add',
    words: 'Status text',
  },
];
describe.each(someOf(forms, 1, seedOr(3)))('$path [long]', ({ path, add, words }) => {
  it('asks a visitor to log in', async () => {
    const visitor = await site.open();
    await visit(visitor.page, path);
    await visitor.page.getByRole('main').getByRole('link', { name: 'Login' }).waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    await visitor.leave();
  });

  it('can be cancelled without losing input; leaving the page asks first', async () => {
    const { page, leave } = await open(path);
    await chooser(page).setInputFiles(await photo());
    await page.getByLabel(words).fill('Not yet');
    // The server never answers.
    await page.route('**/api/uploads', () => undefined);
    await publish(page);
    await page.getByRole('button', { name: 'Uploading...' }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => focused(page)).toBe('Publish');
    await expect.poll(() => page.getByLabel(words).inputValue()).toBe('Not yet');
    await preview(page).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await arrive(page, '/UserProfile');
    await page.getByRole('link', { name: 'Your Content Earning' }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel(words).inputValue()).toBe('Not yet');
    await leave();
  });

  it('says to stay while the server checks the photo, and leaving or closing the page asks first', async () => {
    const { page, leave } = await open(path);
    await chooser(page).setInputFiles(await photo());
    // The server never answers.
    await page.route('**/api/uploads/*/finish', () => undefined);
    await publish(page);
    await page
      .getByRole('status')
      .getByText('Uploaded. Checking it now; keep this page open.', { exact: true })
      .waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    expect(new URL(page.url()).pathname).toBe(path);
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await page.getByText('Uploaded. Checking it now').waitFor();
    await leave();
  });

  it('keeps file and fields when publishing fails, and uploads the file once', async () => {
    const { page, leave } = await open(path);
    const requests = requestsOf(page);
    await page.route(add, (route) => route.fulfill({ status: 500, body: 'no' }), { times: 1 });
    await chooser(page).setInputFiles(await photo());
    await page.getByLabel(words).fill('Said once');
    await publish(page);
    await page.getByText('Upload failed! Please try again.').waitFor();
    expect(await page.getByLabel(words).inputValue()).toBe('Said once');
    await publish(page);
    await page.getByText(/^Published\. (Everyone|Others) can see it/).waitFor();
    expect(requests).toEqual({ uploads: 1, publications: 2 });
    await leave();
  });

  it('restores the fields after a reload until the photo is published', async () => {
    const { page, leave } = await open(path);
    await chooser(page).setInputFiles(await photo());
    await page.getByLabel(words).fill('Half a thought');
    await visit(page, path);
    await expect.poll(() => page.getByLabel(words).inputValue()).toBe('Half a thought');
    await chooser(page).setInputFiles(await photo());
    await publish(page);
    await page.getByText(/^Published\. (Everyone|Others) can see it/).waitFor();
    await visit(page, path);
    await chooser(page).setInputFiles(await photo());
    expect(await page.getByLabel(words).inputValue()).toBe('');
    await leave();
  });

  it('shows the limits of the server, accepts a dropped or pasted photo, and shows why another file is invalid', async () => {
    const { limits } = await (await fetch(`${site.origin}/api/config`)).json();
    const { page, leave } = await open(path);
    await page
      .getByText(
        `Up to ${limits.photo.maxBytes / 1024 / 1024} MB and ${limits.photo.maxPixels / 1e6} megapixels`,
      )
      .waitFor();
    const requests = requestsOf(page);
    await give(page, 'drop', { name: 'dropped.jpg', type: 'image/jpeg' }, await photoBytes());
    await page.getByRole('img', { name: 'Preview of dropped.jpg' }).waitFor();
    await give(page, 'paste', { name: 'pasted.png', type: 'image/png' }, await photoBytes());
    await page.getByRole('img', { name: 'Preview of pasted.png' }).waitFor();
    for (const [name, bytes, objection] of [
      ['page.jpg', Buffer.from('<!doctype html>'.repeat(9)), 'This file is not a JPEG, PNG'],
      ['none.jpg', Buffer.alloc(0), 'This file is empty.'],
      ['wide.jpg', await photoBytes(10_000, 5001), 'more than 50 megapixels'],
    ] as const) {
      await give(page, 'drop', { name, type: 'image/jpeg' }, bytes);
      await page.getByRole('alert').filter({ hasText: objection }).waitFor();
      // The previous one stays.
      await page.getByRole('img', { name: 'Preview of pasted.png' }).waitFor();
    }
    expect(requests.uploads).toBe(0);
    await leave();
  });

  it('keeps showing a photo when a late error of the previous file arrives', async () => {
    const { page, leave } = await open(path);
    await chooser(page).setInputFiles(await photo('good.jpg'));
    await page.getByRole('img', { name: 'Preview of good.jpg' }).waitFor();
    // The picture on screen fails after a file has got its URL and before that URL is shown.
    await page.evaluate(() => {
      const original = URL.createObjectURL;
      URL.createObjectURL = (file: Blob) => {
        // Only the first: the file gets another URL to measure its pixels, when its picture may be on screen already.
        URL.createObjectURL = original;
        const before = document.querySelector('img[alt^="Preview of"]');
        queueMicrotask(() => before?.dispatchEvent(new Event('error')));
        return original(file);
      };
    });
    await chooser(page).setInputFiles(await photo('better.jpg'));
    const shown = page.getByRole('img', { name: 'Preview of better.jpg' });
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
    await leave();
  });

  it('uploads HEIC that the browser cannot show, and shows the server’s result', async () => {
    const { page, leave } = await open(path);
    const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), Buffer.alloc(400)]);
    await chooser(page).setInputFiles(await photo('IMG_1.HEIC', heic));
    await page.getByText("Your browser can't show IMG_1.HEIC, but you can still upload it.").waitFor();
    await publish(page);
    await page.getByText('Upload failed! This HEIC picture cannot be read here').waitFor();
    await leave();
  });
});

describe('the progress bar of an upload [long]', () => {
  it.each(['light', 'dark'] as const)(
    'differs from the panel around it by a contrast of 3 : 1 in the %s theme',
    async (theme) => {
      const { page, leave } = await open('/PhotoPost', { theme });
      await chooser(page).setInputFiles(await photo());
      // The server never answers.
      await page.route('**/api/uploads', () => undefined);
      await publish(page);
      const bar = page.getByRole('progressbar', { name: 'Upload' });
      // WCAG 1.4.11: its border or its ground.
      const contrast = await bar.evaluate((track) => {
        const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        const pixel = (colors: string[]) => {
          for (const color of colors) {
            if (brush) brush.fillStyle = color;
            brush?.fillRect(0, 0, 1, 1);
          }
          return [...(brush?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
        };
        const luminance = (colors: string[]) => {
          const [red = 0, green = 0, blue = 0] = pixel(colors).map((value) => {
            const share = value / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        // The backgrounds behind the bar, from the page to the panel.
        const under: string[] = [];
        for (let at = track.parentElement; at; at = at.parentElement)
          under.unshift(getComputedStyle(at).backgroundColor);
        const panel = luminance(under);
        const look = getComputedStyle(track);
        const own = [[...under, look.backgroundColor]];
        if (Number.parseFloat(look.borderTopWidth) >= 1) own.push([...under, look.borderTopColor]);
        return Math.max(
          ...own.map((colors) => {
            const [dark = 0, bright = 0] = [panel, luminance(colors)].toSorted((one, other) => one - other);
            return (bright + 0.05) / (dark + 0.05);
          }),
        );
      });
      expect(contrast).toBeGreaterThanOrEqual(3);
      await leave();
    },
  );
});

describe('on a phone [long]', () => {
  it.each([
    ['/PhotoPost', 'Take a photo'],
    ['/ReelPost', 'Record a video'],
  ])('%s offers the camera as well as the files', async (path, name) => {
    const phone = await open(path, { hasTouch: true, isMobile: true });
    const captureAfter = async (button: string) => {
      const opened = phone.page.waitForEvent('filechooser');
      await phone.page.getByRole('button', { name: button }).click();
      return await (await opened).element().getAttribute('capture');
    };
    expect(await captureAfter(name)).toBe('environment');
    expect(await captureAfter(path === '/ReelPost' ? 'Select a video' : 'Select a photo')).toBeNull();
    await phone.leave();
  });
});

describe('the categories of a reel (specification §5) [long]', () => {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const chosen = async (page: Page) =>
    (await page.getByRole('group').getByRole('button', { pressed: true }).allTextContents()).toSorted();

  it('are 42, found by any part of their name in any case; a fourth is ignored, a chosen one can be removed', async () => {
    const { page, leave } = await open('/ReelPost');
    // It is offered on a phone only.
    expect(await page.getByRole('button', { name: 'Record a video' }).isVisible()).toBe(false);
    const all = page.getByRole('group').getByRole('listitem');
    await expect.poll(() => all.count()).toBe(0);
    const clip = join(site.data, 'in-its-categories.mp4');
    await makeClip(clip, { seconds: 1 });
    await page.getByLabel('Video', { exact: true }).setInputFiles(clip);
    await expect.poll(() => all.count()).toBe(42);
    await page.getByLabel('Search categories').fill('NATURE');
    await expect.poll(() => all.allTextContents()).toEqual(['Nature']);
    await page.getByLabel('Search categories').fill('art');
    await expect.poll(() => all.allTextContents()).toEqual(['Nail Art', 'Art & Craft']);
    await page.getByLabel('Search categories').fill('');
    for (const name of ['Food', 'Dance', 'Music']) await button(page, name).click();
    await page.getByText('3 of 3').waitFor();
    // A fourth one looks disabled; it is pressed nevertheless.
    await button(page, 'News').click({ force: true });
    await expect.poll(() => chosen(page)).toEqual(['Dance', 'Food', 'Music']);
    await button(page, 'Dance').click();
    await button(page, 'News').click();
    await expect.poll(() => chosen(page)).toEqual(['Food', 'Music', 'News']);

    // Categories and text are restored after a reload.
    await page.getByLabel('Caption').fill('To be continued');
    page.on('dialog', (dialog) => dialog.accept());
    await visit(page, '/ReelPost');
    await page.getByText('3 of 3').waitFor();
    await expect.poll(() => chosen(page)).toEqual(['Food', 'Music', 'News']);
    await expect.poll(() => page.getByLabel('Caption').inputValue()).toBe('To be continued');
    await leave();
  });
});
