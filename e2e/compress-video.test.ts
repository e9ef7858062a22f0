import { appendFile, copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptySite } from '#testing/browser/site.ts';
import { heardClip, shownClip, watch } from '#testing/browser/video-inspection.ts';
import { takenOver, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { type Clip, makeClip, turnClip } from '#testing/fixtures/clips.ts';
import { makeClipOfTracks } from '#testing/fixtures/sound-tracks.ts';

const site = emptySite();
let person: Client;

beforeAll(async () => {
  person = await signUpAt(site.origin, 'filmer');
});

const seconds = 2;
const event = 1;
/** A short video of high bitrate: as large as a phone's file, but cheap to encode. */
const fps = 12;
/** The machine may be busy. */
const timeout = 120_000;

/** As a phone films: full HD at a high bitrate, landscape with a rotation flag. Each kind is made once. */
const kinds = {
  usual: { sound: heardClip(event) },
  silent: { audio: false },
  'a mov with uncompressed sound': {
    container: 'mov',
    sound: heardClip(event),
    audioCodec: 'pcm_s16le',
  },
} satisfies Record<string, Clip>;
const filmed = new Map<string, Promise<string>>();
async function film(kind: keyof typeof kinds): Promise<string> {
  const path = join(site.data, `filmed-${filmed.size}.mp4`);
  const source = `${shownClip(1080, 1920, fps, event)},transpose=cclock,noise=alls=24:allf=t`;
  await makeClip(path, { seconds, source, bitrate: '24M', ...kinds[kind] });
  await turnClip(path, 90);
  return path;
}

/** A copy with unique bytes: it ends with a free box, which players ignore. */
let clips = 0;
async function phoneClip(kind: keyof typeof kinds = 'usual'): Promise<string> {
  const original = filmed.get(kind) ?? film(kind);
  filmed.set(kind, original);
  clips += 1;
  const path = join(site.data, `phone-${clips}.mp4`);
  await copyFile(await original, path);
  await appendFile(path, Buffer.from([0, 0, 0, 9, ...Buffer.from('free'), clips]));
  return path;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const isPublic = (page: Page, caption: string) =>
  page
    .getByRole('listitem')
    .filter({ hasText: caption })
    .getByText(/^Published\./)
    .waitFor({ timeout });

/** The page of a person who uploads, and the lengths of the videos that it begins to send. */
async function open({ encoder = '' }: { encoder?: string } = {}) {
  const { page, leave } = await site.open({
    person,
  });
  // The worker that encodes is a separate script: a fault of the encoder is injected in front of it.
  if (encoder) {
    await page.route('**/assets/compress.worker*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: `${encoder};${await answer.text()}` });
    });
  }
  const lengths: number[] = [];
  page.on('request', (request) => {
    const { 'upload-length': length, 'upload-metadata': metadata = '' } = request.headers();
    const isVideo = metadata.includes(`kind ${Buffer.from('reel').toString('base64')}`);
    if (request.method() === 'POST' && isVideo) lengths.push(Number(length));
  });
  await visit(page, '/ReelPost');
  return { page, leave, lengths };
}

async function publish(page: Page, path: string, caption: string) {
  await page.locator('input[type=file]').first().setInputFiles(path);
  await page.getByAltText(/^Cover/).waitFor();
  await page.getByLabel('Caption').fill(caption);
  await button(page, 'Publish').click();
}

/** The newest reel as everybody sees it. */
async function newest(caption: string) {
  const { data: reels } = await (await fetch(`${site.origin}/api/reel/getallReels`)).json();
  const reel = reels.find((one: { caption: string }) => one.caption === caption);
  const path = join(site.data, `seen-${reel._id}.mp4`);
  await writeFile(path, Buffer.from(await (await fetch(new URL(reel.videourl, site.origin))).arrayBuffer()));
  const seen = await watch(path);
  await rm(path);
  return seen;
}

async function isAsFilmed(caption: string, { hasAudio = true } = {}) {
  const seen = await newest(caption);
  expect(seen).toMatchObject({ width: 720, height: 1280, top: 'red', bottom: 'blue', hasAudio });
  expect(Math.abs(seen.seconds - seconds)).toBeLessThan(0.2);
  expect(Math.abs((seen.flashAt ?? 0) - event)).toBeLessThan(1.5 / fps);
  if (hasAudio) expect(Math.abs((seen.soundAt ?? 0) - event)).toBeLessThan(0.09);
}

/** What is said beside the progress bar. */
const sentencesOf = async (page: Page) => {
  const panel = page.getByRole('progressbar', { name: 'Upload' }).locator('xpath=..');
  return (await panel.locator('p').allInnerTexts()).filter((words) => words !== '');
};

describe('compressing a video in the browser', { timeout: 2 * timeout }, () => {
  it('compresses a large video before the upload, says one thing at a time, and keeps rotation, length and sound in sync', async () => {
    const { page, leave, lengths } = await open();
    const path = await phoneClip();
    const held = Promise.withResolvers<void>();
    await page.route('**/api/uploads/*', async (route) => {
      if (lengths.length > 0) await held.promise;
      await route.continue();
    });
    await publish(page, path, 'Straight from the phone');
    await page.getByText('Making the file smaller').waitFor();
    expect(await sentencesOf(page)).toEqual(['Making the file smaller']);
    await expect
      .poll(() => sentencesOf(page), { timeout })
      .toEqual([expect.stringMatching(/^[\d.]+ of \d[\d.]* MB/)]);
    held.resolve();
    await isPublic(page, 'Straight from the phone');
    const { size } = await stat(path);
    expect(lengths).toHaveLength(1);
    expect(lengths[0]).toBeLessThan(size / 3);
    await isAsFilmed('Straight from the phone');

    // The same original again, from a page that knows nothing of the first upload: it earns nothing.
    await visit(page, '/ReelPost');
    await publish(page, path, 'The same once more');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'The same once more' })
      .getByText("won't earn anything")
      .waitFor();
    await leave();
  });

  it.each(['silent', 'a mov with uncompressed sound'] as const)(
    'also compresses a video that is %s',
    async (kind) => {
      const { page, leave, lengths } = await open();
      const path = await phoneClip(kind);
      await publish(page, path, kind);
      await isPublic(page, kind);
      expect(lengths[0]).toBeLessThan((await stat(path)).size / 3);
      await isAsFilmed(kind, { hasAudio: kind !== 'silent' });
      await leave();
    },
    120_000,
  );

  it('sends the original where the browser cannot encode', async () => {
    const { page, leave, lengths } = await open();
    await page.addInitScript(() => Reflect.deleteProperty(window, 'VideoEncoder'));
    await visit(page, '/ReelPost');
    const path = await phoneClip('silent');
    await publish(page, path, 'No encoder');
    await expect.poll(() => lengths, { timeout }).toEqual([(await stat(path)).size]);
    await leave();
  });

  it('sends the original where encoding fails', async () => {
    const breaking = `let left = 9; const encode = VideoEncoder.prototype.encode;
      VideoEncoder.prototype.encode = function (...given) {
        if (left-- === 0) throw new DOMException('broken', 'EncodingError');
        return encode.apply(this, given);
      }`;
    const { page, leave, lengths } = await open({ encoder: breaking });
    const path = await phoneClip('silent');
    await publish(page, path, 'Broke on the way');
    await expect.poll(() => lengths, { timeout }).toEqual([(await stat(path)).size]);
    await leave();
  });

  it('sends the original when the person skips compressing, and nothing when the person cancels', async () => {
    const { page, leave, lengths } = await open({
      encoder: 'VideoEncoder.prototype.encode = () => undefined',
    });
    const path = await phoneClip('silent');
    await publish(page, path, 'Rather now');
    await page.getByText('Making the file smaller').waitFor();
    await button(page, 'Cancel').click();
    await button(page, 'Publish').waitFor();
    expect(await page.getByLabel('Caption').inputValue()).toBe('Rather now');
    expect(lengths).toEqual([]);
    await button(page, 'Publish').click();
    await button(page, 'Upload the original').click();
    await expect.poll(() => lengths, { timeout }).toEqual([(await stat(path)).size]);
    await leave();
  });

  it('resumes with the same compressed bytes after a reload', async () => {
    const { page, leave, lengths } = await open();
    const path = await phoneClip('silent');
    const begun = Promise.withResolvers<void>();
    let holds = true;
    await page.route('**/api/uploads/*', async (route) => {
      if (!holds || lengths.length === 0) return await route.continue();
      begun.resolve();
    });
    await publish(page, path, 'In two goes');
    await begun.promise;
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await takenOver(page);
    holds = false;
    await publish(page, path, 'In two goes');
    await isPublic(page, 'In two goes');
    expect(lengths).toHaveLength(1);
    await leave();
  });

  it('sends the original of a video with several sound tracks, of which the server takes the one that it can decode', async () => {
    const { page, leave, lengths } = await open();
    const [clip, path] = [await phoneClip(), join(site.data, 'spatial.mov')];
    await makeClipOfTracks(path, clip, [{ from: clip, isUnknown: true, isDefault: true }, { from: clip }]);
    await publish(page, path, 'Spatial first');
    await isPublic(page, 'Spatial first');
    expect(lengths).toEqual([(await stat(path)).size]);
    expect((await newest('Spatial first')).hasAudio).toBe(true);
    await leave();
  });

  it('sends the original of a video whose sound cannot be decoded, and its owner is told', async () => {
    const { page, leave, lengths } = await open();
    const [clip, path] = [await phoneClip(), join(site.data, 'spatial-only.mov')];
    await makeClipOfTracks(path, clip, [{ from: clip, isUnknown: true }]);
    await publish(page, path, 'Spatial only');
    await isPublic(page, 'Spatial only');
    expect(lengths).toEqual([(await stat(path)).size]);
    const note = "We couldn't read this video's sound, so the reel plays without it.";
    await page.getByRole('listitem').filter({ hasText: 'Spatial only' }).getByText(note).waitFor();
    await visit(page, '/UserProfile');
    await page.getByRole('listitem').filter({ hasText: 'Spatial only' }).getByText(note).waitFor();
    await leave();
  });

  it('sends a small video without compressing it', async () => {
    const { page, leave, lengths } = await open();
    const path = join(site.data, 'small.mp4');
    await makeClip(path, { width: 1080, height: 1920, seconds: 1 });
    await publish(page, path, 'Small enough');
    await expect.poll(() => lengths, { timeout }).toEqual([(await readFile(path)).length]);
    await leave();
  });
});
