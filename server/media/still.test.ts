import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeClip } from '#testing/fixtures/clips.ts';
import { encodeVideo } from './encode-video.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-still-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  [
    'one picture, encoded anew each second',
    { source: 'testsrc2=size=270x480:rate=25:duration=0.04,tpad=stop=-1:stop_mode=clone', bitrate: '200k' },
    true,
  ],
  ['a small part that moves', { source: 'testsrc2=size=60x60:rate=25,pad=270:480:100:200:gray' }, false],
  [
    'a picture that another one follows',
    { source: 'color=gray:size=270x480:rate=25,fade=out:st=2:d=0.5' },
    false,
  ],
])('%s: whether the video is still', async (name, clip, still) => {
  const path = join(folder, `${name.replaceAll(/\W/g, '-')}.mp4`);
  await makeClip(path, { seconds: 4, ...clip });
  const made = await encodeVideo(path, await mkdtemp(join(folder, 'made-')));
  expect(made.still).toBe(still);
});
