import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clip, makeClip } from '#testing/fixtures/clips.ts';
import { makeHeic } from '#testing/fixtures/heic.ts';
import { damaged } from '#testing/fuzz/corrupt-bytes.ts';
import { randomFrom } from '#testing/random.ts';
import { howMany, seedOr } from '#testing/share.ts';
import { encodePhoto } from './encode-photo.ts';
import { encodeVideo } from './encode-video.ts';
import { inspectVideo } from './inspect-video.ts';
import { MediaRefusal } from './refusal.ts';
import { openVideo, videoStream } from './tasks/open-video.ts';

/** Number of files; the environment can set more, with other damage (CONTRIBUTING). */
const total = howMany('MUTATIONS', { share: 13, whole: 65 });
const seed = seedOr(1);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-mutations-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const clips: Record<string, Clip> = {
  mp4: {},
  fast: { options: { movflags: '+faststart' } },
  fragments: { options: { movflags: 'frag_keyframe+empty_moov+default_base_moof' } },
  hevc: { codec: 'libx265' },
  webm: { container: 'webm' },
  matroska: { container: 'matroska' },
  avi: { container: 'avi' },
  stream: { container: 'mpegts' },
};
const pictures = ['jpeg', 'png', 'webp', 'avif'] as const;
const share = Math.ceil(total / (Object.keys(clips).length + pictures.length + 1));

/** Refused with a sentence, or encoded; undefined is a refusal. */
async function outcome<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MediaRefusal && error.message.length > 10) return undefined;
    throw error;
  }
}

/** Damages a file repeatedly; `take` gets each with a folder for its output. */
async function each(
  name: string,
  good: Buffer,
  take: (path: string, out: string) => Promise<void>,
): Promise<void> {
  const random = randomFrom(seed * 1000 + name.length * 31 + name.charCodeAt(0));
  for (let number = 0; number < share; number += 1) {
    const path = join(folder, `${name}-${number}`);
    const out = `${path}-out`;
    await mkdir(out);
    await writeFile(path, damaged(good, random));
    await take(path, out).catch((error: Error) => {
      throw new Error(`${name}, seed ${seed}, file ${number}: ${error.message}`, { cause: error });
    });
    await rm(out, { recursive: true });
    await rm(path);
  }
}

describe.concurrent('a damaged file is refused with a sentence or encoded, and never crashes (decisions §7)', () => {
  const timeout = 60_000 + share * 30_000;

  it.each(Object.entries(clips))('%s', { timeout }, async (name, clip) => {
    const path = join(folder, `good-${name}`);
    await makeClip(path, { seconds: 1, width: 64, height: 96, ...clip });
    await each(name, await readFile(path), async (file, out) => {
      if (!(await outcome(() => inspectVideo(file)))) return;
      const made = await outcome(() => encodeVideo(file, out));
      if (!made) return;
      const demuxer = await openVideo(join(out, 'video.mp4'), 'mov');
      const h264 = 27;
      expect(Number(videoStream(demuxer).codecpar.codecId)).toBe(h264);
      await demuxer.close();
      expect((await readdir(out)).sort()).toEqual(['card.jpg', 'poster.webp', 'tile.webp', 'video.mp4']);
    });
  });

  it.each(pictures)('%s', { timeout }, async (format) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const good = await sharp({ create: { width: 90, height: 120, channels: 3, background: '#777', noise } })
      .toFormat(format)
      .toBuffer();
    await each(format, good, remade);
  });

  it('heic', { timeout }, async () => {
    const source = 'testsrc2=size=90x120:rate=25';
    await each('heic', await makeHeic({ width: 90, height: 120, tile: 64, source }), remade);
  });

  async function remade(file: string, out: string): Promise<void> {
    const made = await outcome(() => encodePhoto(file, out));
    if (!made) return;
    for (const one of await readdir(out)) {
      const { format: written } = await sharp(join(out, one)).metadata();
      expect(written).toBe(one.endsWith('.jpg') ? 'jpeg' : 'webp');
    }
  }
});
