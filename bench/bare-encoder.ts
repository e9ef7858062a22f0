import { join } from 'node:path';
import { Decoder, FilterAPI } from 'node-av';
import { ladderOf } from '#server/media/tasks/ladder.ts';
import { openVideo, videoStream } from '#server/media/tasks/open-video.ts';
import { openRendition } from '#server/media/tasks/rendition.ts';
import { clockFilter, pictureFilters, rateOf, sizeOf } from '#server/media/tasks/video-filters.ts';

/** The same renditions by the same encoder with the same settings, and nothing else: no sound, no pictures, no probing. */
const { path, folder } = JSON.parse(process.argv[2] ?? '') as { path: string; folder: string };
const source = await openVideo(path, 'mov');
const stream = videoStream(source);
const decoder = await Decoder.create(stream, { exitOnError: false });
const picture = FilterAPI.create(pictureFilters(stream), { allowReinit: true });
const clock = FilterAPI.create(clockFilter(stream));
const keyEvery = Math.round(2 * rateOf(stream));
const renditions = await Promise.all(
  ladderOf(sizeOf(stream), 'bare.mp4').map(({ size, kilobits, file }) =>
    openRendition({ target: join(folder, `bare-${file}`), size, kilobits, keyEvery }, clock, undefined),
  ),
);
for await (const frame of clock.frames(picture.frames(decoder.frames(source.packets(stream.index))))) {
  if (!frame) break;
  await Promise.all(renditions.map((rendition) => rendition.add(frame)));
  frame.free();
}
for (const rendition of renditions) {
  await rendition.finish();
  await rendition.close();
}
await source.close();
process.stdout.write('{}');
