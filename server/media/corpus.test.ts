import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watch } from '#testing/browser/video-inspection.ts';
import { type Case, film, shownOf, someOfCorpus } from '#testing/fuzz/video-corpus.ts';
import { encodeVideo } from './encode-video.ts';
import { inspectVideo } from './inspect-video.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-corpus-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function check(name: string, one: Case): Promise<void> {
  const path = join(folder, name.replace(/\W+/g, '-'));
  await film(path, one);
  const out = `${path}-out`;
  await mkdir(out);
  const inspected = await inspectVideo(path);
  const made = await encodeVideo(path, out);
  const { hasAudio, ...shown } = shownOf(one);
  expect(Math.abs(inspected.seconds - shown.seconds)).toBeLessThan(0.15);
  expect(Math.abs(made.seconds - shown.seconds)).toBeLessThan(0.1);
  const keys: number[][] = [];
  for (const { file, width: across, height: down, bitrate } of made.renditions) {
    const seen = await watch(join(out, file));
    keys.push(seen.keys);
    expect(bitrate).toBeGreaterThan(0);
    expect({ ...seen, width: across, height: down }).toMatchObject({
      width: seen.width,
      height: seen.height,
      top: 'red',
      bottom: 'blue',
      hasAudio,
    });
    expect(Math.abs(seen.seconds - shown.seconds)).toBeLessThan(0.1);
    expect(Math.abs((seen.flashAt ?? 0) - shown.flashAt)).toBeLessThan(0.07);
    if (seen.hasAudio) expect(Math.abs((seen.soundAt ?? 0) - shown.flashAt)).toBeLessThan(0.05);
  }
  const best = made.renditions.at(-1);
  expect(best).toMatchObject({ file: 'video.mp4', width: shown.width, height: shown.height });
  expect(made).toMatchObject({ width: shown.width, height: shown.height });
  for (const times of keys) expect(times).toEqual(keys[0]);
  await rm(out, { recursive: true });
  await rm(path);
}

describe.concurrent('videos of phones and cameras play upright, complete, undistorted and in sync (decisions §7)', () => {
  it.each(someOfCorpus)('%s', { timeout: 180_000 }, check);
});
