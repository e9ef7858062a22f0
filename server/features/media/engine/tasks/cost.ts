import { availableParallelism } from 'node:os';
import {
  Decoder,
  type Demuxer,
  Encoder,
  FF_ENCODER_LIBX264,
  FilterAPI,
  type Frame,
  type Packet,
} from 'node-av';
import { Refusal } from '../../../../platform/refusal.ts';
import type { VideoContainer } from '../sniff.ts';
import type { Step } from './ladder.ts';
import { openVideo, startOf, videoStream } from './open-video.ts';
import { encoderOptions } from './rendition.ts';
import { gettingOn } from './signs-of-life.ts';
import { clockFilter, pictureFilters } from './video-filters.ts';

/** What a video may cost. */
export interface Allowance {
  /** Times its own length that processing it may take. */
  times: number;
  /** Seconds that are granted to any video, however short. */
  seconds: number;
  /** What has fewer pixels than this, all pictures together, is not looked at: it is cheap in any codec. */
  pixels: number;
}

/** As much of the beginning is made on trial, in seconds of the video; and as long as that may take, in seconds. */
const [sample, patience] = [2, 60];

/**
 * The renditions that a video can afford, judged by making its first seconds on trial: all of them, else fewer; refused where
 * not even the best alone is affordable. What is counted is the time of processors, so that a busy machine judges no otherwise.
 */
export async function affordable(
  path: string,
  container: VideoContainer,
  steps: Step[],
  allowance: Allowance,
): Promise<Step[]> {
  const { pictures, seconds, pixels } = await extentOf(path, container);
  if (pictures * pixels <= allowance.pixels) return steps;
  const most = Math.max(allowance.seconds, allowance.times * seconds) / pictures;
  const chosen = fewerSteps(steps, await tried(path, container, steps), most, availableParallelism());
  if (chosen) return chosen;
  throw new Refusal(
    'video_too_heavy',
    `This video takes more than ${allowance.times} times its own length to process. Please save it as H.264 in 1080p and send that.`,
  );
}

/** Seconds of a processor that one picture takes: to be read and scaled, and to be made each rendition of. */
export interface Cost {
  reading: number;
  making: ReadonlyMap<Step, number>;
}

/**
 * As many renditions as a picture may cost on one processor, those next to the best left out first. The best alone may cost
 * as much on each of them; undefined where it costs more.
 */
export function fewerSteps(
  [best, ...others]: Step[],
  { reading, making }: Cost,
  most: number,
  processors: number,
): Step[] | undefined {
  if (!best) return undefined;
  const costOf = (steps: Step[]) => steps.reduce((sum, step) => sum + (making.get(step) ?? 0), reading);
  const choices = [0, ...others.map((_, index) => index + 1)].map((index) => [best, ...others.slice(index)]);
  const alone = costOf([best]) <= most * processors ? [best] : undefined;
  return choices.find((steps) => costOf(steps) <= most) ?? alone;
}

/** By its packets and not by its header. */
async function extentOf(path: string, container: VideoContainer) {
  const demuxer = await openVideo(path, container);
  try {
    const stream = videoStream(demuxer);
    let pictures = 0;
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for await (const packet of demuxer.packets(stream.index)) {
      if (!packet) break;
      gettingOn();
      pictures += 1;
      const at = (Number(packet.pts) * packet.timeBase.num) / packet.timeBase.den;
      if (Math.abs(at) < 1e9) [first, last] = [Math.min(first, at), Math.max(last, at)];
      packet.free();
    }
    const { width, height } = stream.codecpar;
    return { pictures, seconds: Math.max(0, last - first), pixels: width * height };
  } finally {
    await demuxer.close();
  }
}

async function tried(path: string, container: VideoContainer, steps: Step[]): Promise<Cost> {
  const source = await openVideo(path, container);
  try {
    const stream = videoStream(source);
    const decoder = await Decoder.create(stream, { exitOnError: false });
    const picture = FilterAPI.create(`setpts=PTS-${startOf(source)}/TB,${pictureFilters(stream)}`, {
      allowReinit: true,
    });
    const clock = FilterAPI.create(clockFilter(stream));
    const read = { packets: 0 };
    const before = process.cpuUsage();
    const frames: Frame[] = [];
    for await (const frame of clock.frames(
      picture.frames(decoder.frames(beginning(source, stream.index, read))),
    )) {
      if (!frame) break;
      frames.push(frame);
    }
    const reading = secondsSince(before);
    const making = new Map<Step, number>();
    for (const step of steps) {
      const start = process.cpuUsage();
      const scale = FilterAPI.create(`scale=${step.size.width}:${step.size.height}`);
      const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
        filter: clock,
        ...encoderOptions(step.kilobits, 60),
      });
      const free = (packets: Packet[]) => packets.forEach((packet) => void packet.free());
      for (const frame of frames) {
        gettingOn();
        for (const one of await scale.processAll(frame)) {
          free(await encoder.encodeAll(one));
          one.free();
        }
      }
      free(await encoder.encodeAll(null));
      encoder.close();
      scale.close();
      making.set(step, secondsSince(start));
    }
    for (const frame of frames) frame.free();
    const perPacket = (seconds: number) => seconds / Math.max(1, read.packets);
    return {
      reading: perPacket(reading),
      making: new Map([...making].map(([step, seconds]) => [step, perPacket(seconds)])),
    };
  } finally {
    await source.close();
  }
}

/** The packets of the first seconds, as far as they can be read in time; then an end. */
async function* beginning(
  source: Demuxer,
  index: number,
  read: { packets: number },
): AsyncGenerator<Packet | null> {
  const started = performance.now();
  let first: number | undefined;
  for await (const packet of source.packets(index)) {
    if (!packet) break;
    gettingOn();
    const at = (Number(packet.dts) * packet.timeBase.num) / packet.timeBase.den;
    first ??= at;
    read.packets += 1;
    yield packet;
    if (at - first >= sample || performance.now() - started > patience * 1000) break;
  }
  yield null;
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
