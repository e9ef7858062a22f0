import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeClip } from '../../../../testing/clips.ts';
import { reelFiles } from '../urls.ts';
import { runInChild } from './run-in-child.ts';
import { type Allowance, fewerSteps } from './tasks/cost.ts';
import { ladderOf } from './tasks/ladder.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-cost-'));
  path = join(folder, 'clip.mp4');
  await makeClip(path, { width: 720, height: 1280, seconds: 2, fps: 10, audio: false });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bounds = { seconds: 120, memory: 1024 ** 3 };
let runs = 0;

/** The renditions that are made of a clip of two seconds which may cost so much. */
async function made(allowance: Allowance): Promise<string[]> {
  runs += 1;
  const out = join(folder, `out-${runs}`);
  await mkdir(out);
  const input = { path, container: 'mov', folder: out, files: reelFiles, allowance } as const;
  const { renditions } = await runInChild('transcode', input, bounds);
  const files = renditions.map(({ file }) => file);
  expect((await readdir(out)).filter((name) => name.endsWith('.mp4')).sort()).toEqual([...files].sort());
  return files;
}

it('a video that costs less than it may has all renditions', async () => {
  expect(await made({ times: 100, seconds: 0, pixels: 0 })).toEqual(['360.mp4', '540.mp4', 'video.mp4']);
});

it('a video that costs too much is refused in words, which is no failure', async () => {
  const refused = await made({ times: 0.001, seconds: 0, pixels: 0 }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'MediaRefusal', code: 'video_too_heavy' });
  expect(String(refused)).toContain(
    'takes more than 0.001 times its own length to process. Please save it as',
  );
});

it('the more a video costs, the fewer renditions it has; the best is the last to go', () => {
  const steps = ladderOf({ width: 720, height: 1280 }, 'video.mp4');
  const cost = { reading: 2, making: new Map(steps.map((step, index) => [step, 3 - index])) };
  const files = (most: number) => fewerSteps(steps, cost, most, 2)?.map(({ file }) => file);
  expect(files(8)).toEqual(['video.mp4', '540.mp4', '360.mp4']);
  expect(files(7)).toEqual(['video.mp4', '360.mp4']);
  expect(files(5)).toEqual(['video.mp4']);
  expect(files(2.5)).toEqual(['video.mp4']);
  expect(files(2.4)).toBeUndefined();
});

it('a short video is made whatever it costs, and a small one is not even tried', async () => {
  expect(await made({ times: 0, seconds: 100, pixels: 0 })).toHaveLength(3);
  expect(await made({ times: 0, seconds: 0, pixels: 1e9 })).toHaveLength(3);
});
