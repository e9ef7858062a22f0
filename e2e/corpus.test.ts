import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptySite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { type Case, corpus, film, shownOf } from '#testing/fuzz/video-corpus.ts';
import { isWhole } from '#testing/share.ts';

const site = emptySite();
let person: Client;

beforeAll(async () => {
  person = await signUpAt(site.origin, 'collector');
});

/** As many unfinished uploads as a person may have. */
const atOnce = 10;
const megabyte = 1024 * 1024;

interface Filmed {
  name: string;
  one: Case;
  path: string;
  /** The browser compresses it before the upload. */
  shrinks: boolean;
}

/** Files of these cases, all with different bytes; the browser compresses the large ones. */
async function filmed(names: string[], large: boolean): Promise<Filmed[]> {
  const made: Filmed[] = [];
  for (const name of names) {
    const one = corpus[name];
    if (!one) throw new Error(`the corpus has no ${name}`);
    const fileName = `${name.replace(/\W+/g, '-')}${large ? '-large' : ''}`;
    const path = join(site.data, `${fileName}.${one.container ?? 'mp4'}`);
    await film(path, one);
    if (large) await appendFile(path, roomOf(5 * megabyte));
    made.push({ name: large ? `${name}, large` : name, one, path, shrinks: large });
  }
  return made;
}

/** Bytes that MP4 players ignore. */
function roomOf(bytes: number): Buffer {
  const room = Buffer.alloc(bytes);
  room.writeUInt32BE(bytes, 0);
  room.write('free', 4);
  return room;
}

const fileNameOf = ({ path }: Filmed) => path.split('/').at(-1) ?? '';
/** Not one whose name ends so. */
const named = (file: Filmed) => new RegExp(`(^|\\s)${fileNameOf(file).replaceAll('.', '\\.')}`);
const row = (page: Page, file: Filmed) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: named(file) }) });

/** Publishes all of them from one page, each with its own caption; waits until all are public. */
async function publishAll(files: Filmed[]): Promise<{ lengths: number[] }> {
  const { page, leave } = await site.open({ person });
  await visit(page, '/ReelPost');
  const lengths: number[] = [];
  page.on('request', (request) => {
    const { 'upload-length': length, 'upload-metadata': metadata = '' } = request.headers();
    if (request.method() === 'POST' && metadata.includes('cmVlbA==')) lengths.push(Number(length));
  });
  await page.getByLabel('Video', { exact: true }).setInputFiles(files.map(({ path }) => path));
  for (const file of files) {
    const toggle = row(page, file)
      .getByRole('button', { name: named(file) })
      .first();
    if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
    await row(page, file).getByLabel('Caption').fill(file.name);
  }
  await page.getByRole('button', { name: 'Publish all' }).click();
  const published = page
    .getByRole('list', { name: 'Your uploads' })
    .getByText('Published. Everyone can see it now.');
  await expect.poll(() => published.count(), { timeout: files.length * 20_000 }).toBe(files.length);
  await leave();
  return { lengths };
}

/** What a person sees and hears who opens a reel in the player. */
async function played(id: string, until: number) {
  const { page, leave } = await site.open();
  await visit(page, `/videoplayer?reel=${id}`);
  const time = () =>
    page.evaluate(() => [...document.querySelectorAll('video')].find((one) => !one.paused)?.currentTime);
  await expect.poll(time).toBeGreaterThan(0.2);
  const seen = await page.evaluate(async (until) => {
    const video = [...document.querySelectorAll('video')].find((one) => !one.paused) as HTMLVideoElement & {
      webkitAudioDecodedByteCount: number;
    };
    video.pause();
    video.loop = false;
    const pictureAt = async (second: number) => {
      const sought = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
      video.currentTime = second;
      await sought;
      const canvas = Object.assign(document.createElement('canvas'), { width: 8, height: 60 });
      const brush = canvas.getContext('2d');
      brush?.drawImage(video, 0, 0, 8, 60);
      return [8, 30, 52].map((y) => {
        const [red = 0, green = 0, blue = 0] = brush?.getImageData(4, y, 1, 1).data ?? [];
        const bright = [red, green, blue].map((one) => one > 110).join();
        return (
          { 'true,true,true': 'white', 'true,false,false': 'red', 'false,false,true': 'blue' }[bright] ??
          bright
        );
      });
    };
    return {
      shape: video.videoWidth / video.videoHeight,
      seconds: video.duration,
      before: await pictureAt(Math.max(0, until - 0.2)),
      after: await pictureAt(until + 0.2),
      sound: video.webkitAudioDecodedByteCount > 0,
    };
  }, until);
  await leave();
  return seen;
}

async function check(files: Filmed[]): Promise<void> {
  const { lengths } = await publishAll(files);
  const { data: reels } = await (await fetch(`${site.origin}/api/reel/getallReels?limit=100`)).json();
  for (const file of files) {
    const shown = shownOf(file.one);
    const reel = reels.find(({ caption }: { caption: string }) => caption === file.name);
    const seen = await played(reel._id, shown.flashAt);
    expect({ name: file.name, before: seen.before, after: seen.after, sound: seen.sound }).toEqual({
      name: file.name,
      before: ['red', 'blue', 'blue'],
      after: ['red', 'white', 'blue'],
      sound: shown.hasAudio,
    });
    expect(Math.abs(seen.seconds - shown.seconds), file.name).toBeLessThan(0.2);
    expect(Math.abs((seen.shape * shown.height) / shown.width - 1), file.name).toBeLessThan(0.04);
    const { size } = await stat(file.path);
    expect(lengths.includes(size), `${file.name} was sent as it is`).toBe(!file.shrinks);
  }
}

const isMp4 = (name: string) => ['mp4', 'mov'].includes(corpus[name]?.container ?? 'mp4');
/** Chromium cannot decode these, or they are HDR: the server transcodes them. */
const leftToServer = /hevc|HLG|PQ|mpeg|motion|prores|full colour|10 bits|fragments/;

describe('videos of all kinds keep rotation, length, shape and sound sync from upload to playback', () => {
  it('plays samples of each kind that were uploaded together', { timeout: 240_000 }, async () => {
    const asTheyAre = ['webm', 'mpeg-2', 'hevc turned by 90°, HLG'];
    const smaller = ['mov turned by 270°, lying', 'sound that begins late'];
    await check([...(await filmed(asTheyAre, false)), ...(await filmed(smaller, true))]);
  });

  it.skipIf(!isWhole)('all of them', { timeout: 3_600_000 }, async () => {
    const names = Object.keys(corpus);
    const shrinkable = names.filter((name) => isMp4(name) && !leftToServer.test(name));
    for (const [some, large] of [
      [names, false],
      [shrinkable, true],
    ] as const) {
      for (let at = 0; at < some.length; at += atOnce)
        await check(await filmed(some.slice(at, at + atOnce), large));
    }
  });
});
