import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeClip } from '#testing/fixtures/clips.ts';
import { allowance } from './encode-video.ts';
import { reelFiles } from './file-names.ts';
import { runInChild } from './run-in-child.ts';
import { type Allowance, costOf, fewerSteps, isCheap, stepsWithin, tryBeginning } from './tasks/cost.ts';
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

/** The renditions of a clip of two seconds with this cost limit. */
async function made(may: Omit<Allowance, 'trialSeconds'>, trialSeconds = 20): Promise<string[]> {
  runs += 1;
  const out = join(folder, `out-${runs}`);
  await mkdir(out);
  const input = {
    path,
    container: 'mov',
    folder: out,
    files: reelFiles,
    allowance: { ...may, trialSeconds },
  } as const;
  const { renditions } = await runInChild('transcode', input, bounds);
  const files = renditions.map(({ file }) => file);
  expect((await readdir(out)).filter((name) => name.endsWith('.mp4')).sort()).toEqual([...files].sort());
  return files;
}

it('a video below the cost limit has all renditions', async () => {
  expect(await made({ times: 100, seconds: 0, pixels: 0 })).toEqual(['360.mp4', '540.mp4', 'video.mp4']);
});

it('a video above the cost limit is refused with a sentence, which is no failure', async () => {
  const refused = await made({ times: 0.001, seconds: 0, pixels: 0 }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'MediaRefusal', code: 'video_too_heavy' });
  expect(String(refused)).toContain(
    'takes more than 0.001 times its own length to process. Please save it as',
  );
});

it('a trial without time left is judged by what was encoded until then [long]', async () => {
  expect(await made({ times: 100, seconds: 0, pixels: 0 }, 0)).toHaveLength(3);
  const refused = await made({ times: 0.001, seconds: 0, pixels: 0 }, 0).catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'MediaRefusal', code: 'video_too_heavy' });
});

const steps = ladderOf({ width: 720, height: 1280 }, 'video.mp4');
const countsOf = ({ reading, making }: Awaited<ReturnType<typeof tryBeginning>>) => ({
  read: reading.count,
  made: steps.map((step) => making.get(step)?.count),
});

it('each half of a trial ends when its time is over [long]', async () => {
  const hasty = await tryBeginning(path, 'mov', steps, 0);
  expect(countsOf(hasty)).toEqual({ read: 1, made: [1, 1, 1] });
  const whole = await tryBeginning(path, 'mov', steps, 60);
  expect(countsOf(whole)).toEqual({ read: 20, made: [20, 20, 20] });
});

it('a trial uses the first two seconds of a longer video', async () => {
  const longer = join(folder, 'longer.mp4');
  await makeClip(longer, { width: 180, height: 320, seconds: 5, fps: 10, audio: false });
  // The picture at two seconds ends the trial.
  expect(countsOf(await tryBeginning(longer, 'mov', steps, 60))).toEqual({ read: 21, made: [21, 21, 21] });
});

it('a trial encodes at most four seconds, even if one picture lasts for a minute', async () => {
  const slow = join(folder, 'slow.mp4');
  const source = 'testsrc2=size=180x320:rate=1/60';
  await makeClip(slow, { seconds: 180, source, audio: false });
  const { reading, making } = await tryBeginning(slow, 'mov', steps, 60);
  expect(reading.count).toBeLessThanOrEqual(2);
  for (const { count } of making.values()) expect(count).toBe(120);
});

it('the cost of a video is that of its trial for each packet and picture, times their number', () => {
  const making = new Map(steps.map((step, index) => [step, { count: 60, seconds: 3 - index }]));
  const cost = costOf({ reading: { count: 120, seconds: 6 }, making }, { packets: 600, pictures: 300 });
  expect(cost.reading).toBeCloseTo(30);
  expect(steps.map((step) => Math.round(cost.making.get(step) ?? 0))).toEqual([15, 10, 5]);
});

it('the more a video costs, the fewer renditions it has; the best one is left out last', () => {
  const cost = { reading: 2, making: new Map(steps.map((step, index) => [step, 3 - index])) };
  const files = (most: number) => fewerSteps(steps, cost, most)?.map(({ file }) => file);
  expect(files(8)).toEqual(['video.mp4', '540.mp4', '360.mp4']);
  expect(files(7)).toEqual(['video.mp4', '360.mp4']);
  expect(files(5)).toEqual(['video.mp4']);
  expect(files(4.9)).toBeUndefined();
});

it('on the site, a video may take three times its own length, and 20 s if it is short', () => {
  /** The renditions of a video of this length; reading it takes half of this time, and each rendition a sixth. */
  const within = (inAll: number, seconds: number) => {
    const cost = { reading: inAll / 2, making: new Map(steps.map((step) => [step, inAll / 6])) };
    return stepsWithin(allowance, steps, cost, seconds).length;
  };
  for (const [most, length] of [
    [180, 60],
    [540, 180],
    [20, 5],
    [20, 0],
  ] as const) {
    expect(within(most, length)).toBe(3);
    // Without one or two of its three renditions, a video takes 5/6 or 4/6 of the time.
    expect(within(most * 1.01, length)).toBe(2);
    expect(within(most * 1.19, length)).toBe(2);
    expect(within(most * 1.21, length)).toBe(1);
    expect(within(most * 1.49, length)).toBe(1);
    expect(() => within(most * 1.51, length)).toThrow(/more than 3 times its own length/);
  }
});

it('on the site, videos above half a minute of full HD have a trial', () => {
  const pixels = 1920 * 1080;
  expect(isCheap({ packets: 30 * 30, pixels }, allowance)).toBe(true);
  expect(isCheap({ packets: 30 * 30 + 1, pixels }, allowance)).toBe(false);
});

it('a short video is encoded whatever its cost, and a small one without a trial [long]', async () => {
  expect(await made({ times: 0, seconds: 100, pixels: 0 })).toHaveLength(3);
  expect(await made({ times: 0, seconds: 0, pixels: 1e9 })).toHaveLength(3);
});
