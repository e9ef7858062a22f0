import { FilterAPI, type Frame } from 'node-av';
import { collectFrames, frameSide, printOfFrames } from '../prints/reel-frames.ts';
import { encodeReel } from '../prints/reel-print.ts';
import type { SoundWord } from '../prints/sound-words.ts';
import type { VideoContainer } from '../sniff.ts';
import { beat } from './heartbeat.ts';
import { openVideo, videoStream } from './open-video.ts';
import { openPictures } from './pictures.ts';
import { listen } from './sound.ts';
import { type Size, sizeOf } from './video-filters.ts';

export interface WatchInput {
  /** Path of one of our renditions. */
  path: string;
  container: VideoContainer;
}

export interface WatchOutput {
  print: string | null;
}

/** Makes the print of an earlier reel. */
export async function watch({ path, container }: WatchInput): Promise<WatchOutput> {
  const heard = await listen(path, container);
  const source = await openVideo(path, container);
  try {
    const stream = videoStream(source);
    const watcher = watchFrames(sizeOf(stream));
    try {
      for await (const frame of (await openPictures(source)).of(source.packets(stream.index))) {
        if (!frame) break;
        beat();
        await watcher.offer(frame);
        frame.free();
      }
      return { print: watcher.print({ seconds: source.duration, words: heard?.words ?? [] }) };
    } finally {
      watcher.close();
    }
  } finally {
    await source.close();
  }
}

/** Collects the frames of a video for its print while it is encoded. */
export interface Watcher {
  offer(frame: Frame): Promise<void>;
  /** The print, in base64; null if it shows nothing, or could not be made. */
  print(sound: { seconds: number; words: SoundWord[] }): string | null;
  close(): void;
}

export function watchFrames({ width, height }: Size): Watcher {
  const factor = frameSide / Math.max(width, height);
  const size = {
    width: Math.max(2, Math.round(width * factor)),
    height: Math.max(2, Math.round(height * factor)),
  };
  const toGrey = FilterAPI.create(`scale=${size.width}:${size.height}:flags=area,format=gray`);
  const collected = collectFrames();
  return {
    async offer(frame) {
      const { num, den } = frame.timeBase;
      const at = (Number(frame.pts) * num) / den;
      if (!collected.wants(at)) return;
      for (const converted of await toGrey.processAll(frame)) {
        collected.add({ at, ...size, grey: converted.toBuffer() });
        converted.free();
      }
    },
    print(sound) {
      try {
        const print = printOfFrames(collected.frames(), sound);
        return print && encodeReel(print).toString('base64');
      } catch {
        // A reel without a print counts as a new work: the search for copies must not refuse anybody.
        return null;
      }
    },
    close: () => toGrey.close(),
  };
}
