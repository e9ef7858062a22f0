import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decoder, FilterAPI, type Frame } from 'node-av';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeClip } from '#testing/fixtures/clips.ts';
import { openVideo, startOf, videoStream } from './tasks/open-video.ts';
import { openPictures } from './tasks/pictures.ts';
import { clockFilter, pictureFilters } from './tasks/video-filters.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-pictures-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Shown = [time: number, picture: string];

/** The time of each picture, and a short form of the whole list. */
async function shown(frames: AsyncIterable<Frame | null>): Promise<Shown[]> {
  const seen: Shown[] = [];
  for await (const frame of frames) {
    if (!frame) break;
    const picture = createHash('sha256').update(Buffer.concat(frame.data ?? []));
    seen.push([Number(frame.pts), picture.digest('hex')]);
    frame.free();
  }
  return seen;
}

it.each([
  ['60 pictures a second', '60'],
  ['59.94 pictures a second', '60000/1001'],
  ['50 pictures a second', '50'],
  ['90 pictures a second', '90'],
  ['25 pictures a second', '25'],
])('dropping pictures early, before the clock does, changes no picture: %s', async (name, rate) => {
  for (const container of ['mp4', 'mpegts'] as const) {
    const path = join(folder, `${name.replace(/\W/g, '-')}.${container}`);
    await makeClip(path, {
      seconds: 2,
      source: `testsrc2=size=180x320:rate=${rate}`,
      container,
      audio: false,
    });
    const kind = container === 'mp4' ? 'mov' : 'mpegts';
    const plain = await openVideo(path, kind);
    const stream = videoStream(plain);
    const decoder = await Decoder.create(stream);
    const picture = FilterAPI.create(`setpts=PTS-${startOf(plain)}/TB,${pictureFilters(stream)}`);
    const clock = FilterAPI.create(clockFilter(stream));
    const all = await shown(clock.frames(picture.frames(decoder.frames(plain.packets(stream.index)))));
    await plain.close();
    const source = await openVideo(path, kind);
    const ours = await shown((await openPictures(source)).of(source.packets(videoStream(source).index)));
    await source.close();
    expect(new Set(ours.map(([, picture]) => picture)).size).toBeGreaterThan(40);
    expect(ours).toEqual(all);
  }
});
