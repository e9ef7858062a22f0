import { AV_NOPTS_VALUE, Decoder, type Demuxer, FilterAPI, type Frame, type Packet } from 'node-av';
import { startOf, videoStream } from './open-video.ts';
import { clockFilter, pictureFilters, rateOf } from './video-filters.ts';

/** The pictures of a video as every rendition has them: upright, of one size, at a constant rate. */
export interface PictureSource {
  /** The filter that provides the time base for encoders. */
  clock: FilterAPI;
  of(packets: AsyncIterable<Packet | null>): AsyncIterable<Frame | null>;
}

export async function openPictures(source: Demuxer): Promise<PictureSource> {
  const stream = videoStream(source);
  const decoder = await Decoder.create(stream, { exitOnError: false });
  const start = startOf(source);
  const picture = FilterAPI.create(`setpts=PTS-${start}/TB,${pictureFilters(stream)}`, { allowReinit: true });
  const clock = FilterAPI.create(clockFilter(stream));
  const rate = rateOf(stream);
  /** The tick of the clock for a picture, as computed by the filters; undefined for one without a time. */
  function tickOf({ pts, timeBase: { num, den } }: Frame): number {
    if (pts === AV_NOPTS_VALUE || !num) return Number.NaN;
    return Math.floor((Math.trunc(Number(pts) - start / (num / den)) * num * rate) / den + 0.5 + 1e-6);
  }
  return {
    clock,
    of: (packets) => clock.frames(picture.frames(lastOfEach(tickOf, decoder.frames(packets)))),
  };
}

/** Of pictures on one tick the filter uses the last; the others are dropped before scaling, which costs more than decoding. */
export async function* lastOfEach(
  tickOf: (frame: Frame) => number,
  frames: AsyncIterable<Frame | null>,
): AsyncGenerator<Frame | null> {
  let held: Frame | undefined;
  for await (const frame of frames) {
    if (!frame) break;
    if (held && tickOf(held) === tickOf(frame)) held.free();
    else if (held) yield held;
    held = frame;
  }
  if (held) yield held;
  yield null;
}
