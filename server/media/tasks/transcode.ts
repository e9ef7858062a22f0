import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demuxer, Frame } from 'node-av';
import type { SoundWord } from '../prints/sound-words.ts';
import type { VideoContainer } from '../sniff.ts';
import { type Allowance, affordable, extentOf, isCheap } from './cost.ts';
import { beat } from './heartbeat.ts';
import { ladderOf, type Step } from './ladder.ts';
import { openVideo, unreadable, videoStream } from './open-video.ts';
import { openPictures } from './pictures.ts';
import { choosePoster, type Pictures, type PosterChoice } from './poster.ts';
import { openRendition, type Rendition, type Sound } from './rendition.ts';
import { encodeSound, hasSound, listen, soundEncoder } from './sound.ts';
import { rateOf, type Size, sizeOf } from './video-filters.ts';
import { type Watcher, watchFrames } from './watch.ts';

export interface TranscodeInput {
  path: string;
  container: VideoContainer;
  folder: string;
  /** Names of the files in `folder`; smaller renditions are `<short side>.mp4`. */
  files: { video: string; poster: string; card: string; tile: string };
  allowance: Allowance;
}

export interface MadeRendition extends Size {
  file: string;
  /** Average bit rate in bits a second. */
  bitrate: number;
}

/** Width and height are those of the best rendition. */
export interface TranscodeOutput extends Pictures, Size {
  seconds: number;
  /** Smallest first; the last is the best. */
  renditions: MadeRendition[];
  /** Its print, in base64; null if none could be made. */
  print: string | null;
  /** Whether its sound is missing, since no track of it could be decoded. */
  soundLost: boolean;
}

/** Seconds between key frames, the same in each rendition of a video. */
const keySeconds = 2;

/**
 * Makes the renditions for all players: H.264/AAC MP4 up to 720p, upright, fast start; and their pictures. The video is
 * decoded once for all of them.
 */
export async function transcode({
  path,
  container,
  folder,
  files,
  allowance,
}: TranscodeInput): Promise<TranscodeOutput> {
  const source = await openVideo(path, container);
  let watcher: Watcher | undefined;
  try {
    const size = sizeOf(videoStream(source));
    watcher = watchFrames(size);
    const steps = await affordable(path, container, ladderOf(size, files.video), allowance);
    const poster = choosePoster(size);
    const plan = await soundOf(path, container);
    await encode(source, { steps, folder, poster, watcher, plan });
    const pictures = await poster.make({
      poster: join(folder, files.poster),
      card: join(folder, files.card),
      tile: join(folder, files.tile),
    });
    const seconds = await secondsOf(join(folder, files.video));
    const renditions: MadeRendition[] = [];
    for (const step of steps.toReversed()) {
      const { size: bytes } = await stat(join(folder, step.file));
      renditions.push({ ...step.size, file: step.file, bitrate: Math.round((bytes * 8) / seconds) });
    }
    const print = watcher.print({ seconds, words: plan?.words ?? [] });
    const soundLost = !plan && (await hasSound(path, container));
    return { ...size, seconds, renditions, print, soundLost, ...pictures };
  } catch (error) {
    throw error instanceof Error && /invalid data/i.test(error.message) ? unreadable() : error;
  } finally {
    watcher?.close();
    await source.close();
  }
}

/** The same if it is short work; null otherwise. */
export async function transcodeIfShort(input: TranscodeInput): Promise<TranscodeOutput | null> {
  const extent = await extentOf(input.path, input.container);
  return isCheap(extent, input.allowance) ? await transcode(input) : null;
}

type SoundPlan = { sound: Sound; words: SoundWord[]; encode: () => Promise<void> };

/** Undefined if there is no sound that can be decoded: the picture is published without it. */
async function soundOf(path: string, container: VideoContainer): Promise<SoundPlan | undefined> {
  const heard = await listen(path, container);
  if (!heard) return undefined;
  const sound: Sound = { encoder: await soundEncoder(), packets: [] };
  return {
    sound,
    words: heard.words,
    encode: async () => {
      sound.packets = await encodeSound(path, container, heard, sound.encoder);
    },
  };
}

async function encode(
  source: Demuxer,
  {
    steps,
    folder,
    poster,
    watcher,
    plan,
  }: {
    steps: Step[];
    folder: string;
    poster: PosterChoice;
    watcher: Watcher;
    plan: SoundPlan | undefined;
  },
): Promise<void> {
  const stream = videoStream(source);
  const pictures = await openPictures(source);
  const keyEvery = Math.max(1, Math.round(keySeconds * rateOf(stream)));
  const renditions: Rendition[] = [];
  try {
    for (const { size, kilobits, file } of steps) {
      const target = join(folder, file);
      renditions.push(await openRendition({ target, size, kilobits, keyEvery }, pictures.clock, plan?.sound));
    }
    await plan?.encode();
    for await (const frame of pictures.of(source.packets(stream.index))) {
      if (!frame) break;
      beat(shareOf(frame, source));
      await poster.offer(frame);
      await watcher.offer(frame);
      await Promise.all(renditions.map((rendition) => rendition.add(frame)));
      frame.free();
    }
    await Promise.all(renditions.map((rendition) => rendition.finish()));
  } finally {
    for (const rendition of renditions) await rendition.close();
  }
}

/** How much of the video precedes this picture; undefined if its length is unknown. */
function shareOf({ pts, timeBase: { num, den } }: Frame, { duration }: Demuxer): number | undefined {
  return duration > 0 && den > 0 ? (Number(pts) * num) / den / duration : undefined;
}

async function secondsOf(video: string): Promise<number> {
  const made = await openVideo(video, 'mov');
  try {
    return made.duration;
  } finally {
    await made.close();
  }
}
