import { type Demuxer, Encoder, FF_ENCODER_LIBX264, FilterAPI, type Frame, type Packet } from 'node-av';
import { Refusal } from '#server/platform/refusal.ts';
import type { VideoContainer } from '../sniff.ts';
import { beat } from './heartbeat.ts';
import type { Step } from './ladder.ts';
import { openVideo, videoStream } from './open-video.ts';
import { openPictures } from './pictures.ts';
import { encoderOptions } from './rendition.ts';
import { rateOf } from './video-filters.ts';

/** The cost limit of a video. */
export interface Allowance {
  /** Maximum processor time relative to its length, on one processor. */
  times: number;
  /** Seconds that every video may take, however short. */
  seconds: number;
  /** Videos with at most this many pixels in all frames together are short work. */
  pixels: number;
  /** Maximum time of the trial decoding, and again of the trial encoding, in seconds. */
  trialSeconds: number;
}

/** Length of the beginning that is encoded in the trial, in seconds of the video. */
const sample = 2;

/**
 * The renditions that a video can afford, judged by a trial of its first seconds: all of them, else fewer; refused if not even the best
 * alone is affordable. Processor time is measured, so that the result does not depend on the load of the machine.
 */
export async function affordable(
  path: string,
  container: VideoContainer,
  steps: Step[],
  allowance: Allowance,
): Promise<Step[]> {
  const extent = await extentOf(path, container);
  if (isCheap(extent, allowance)) return steps;
  const cost = costOf(await tryBeginning(path, container, steps, allowance.trialSeconds), extent);
  return stepsWithin(allowance, steps, cost, extent.seconds);
}

/** Whether a video is short work: cheap with any codec, so that it needs no trial. */
export function isCheap(
  { packets, pixels }: Pick<Extent, 'packets' | 'pixels'>,
  allowance: Pick<Allowance, 'pixels'>,
): boolean {
  return packets * pixels <= allowance.pixels;
}

/** The renditions that a video of this length and cost can afford; refused if not even the best alone is affordable. */
export function stepsWithin(
  { times, seconds: anyway }: Pick<Allowance, 'times' | 'seconds'>,
  steps: Step[],
  cost: Cost,
  seconds: number,
): Step[] {
  const chosen = fewerSteps(steps, cost, Math.max(anyway, times * seconds));
  if (chosen) return chosen;
  throw new Refusal('video_too_heavy', { times });
}

interface StepCost {
  /** Number of packets that were decoded, or pictures that were encoded. */
  count: number;
  /** Processor time in seconds. */
  seconds: number;
}

/** The result of a trial: decoding and scaling of its beginning, and encoding of each rendition. */
export interface Trial {
  reading: StepCost;
  making: ReadonlyMap<Step, StepCost>;
}

/** The length of a video. */
export interface Extent {
  seconds: number;
  /** Number of its pictures, to be decoded. */
  packets: number;
  /** Number of pictures of each rendition, to be encoded. */
  pictures: number;
  /** Number of pixels of one of its pictures. */
  pixels: number;
}

/** Processor time in seconds for a whole video: to decode and scale it, and to encode each rendition. */
export interface Cost {
  reading: number;
  making: ReadonlyMap<Step, number>;
}

export function costOf(
  { reading, making }: Trial,
  { packets, pictures }: Pick<Extent, 'packets' | 'pictures'>,
): Cost {
  const inAll = ({ count, seconds }: StepCost, all: number) => (count > 0 ? (seconds / count) * all : 0);
  return {
    reading: inAll(reading, packets),
    making: new Map([...making].map(([step, work]) => [step, inAll(work, pictures)])),
  };
}

/**
 * As many renditions as there is processor time for, leaving out the second best first; undefined if there is no time for the best alone. A
 * task can count on one processor: its stages wait for each other, and other tasks run beside it.
 */
export function fewerSteps(
  [best, ...others]: Step[],
  { reading, making }: Cost,
  most: number,
): Step[] | undefined {
  if (!best) return undefined;
  const inAll = (steps: Step[]) => steps.reduce((sum, step) => sum + (making.get(step) ?? 0), reading);
  const choices = [0, ...others.map((_, index) => index + 1)].map((index) => [best, ...others.slice(index)]);
  return choices.find((steps) => inAll(steps) <= most);
}

/** By its packets and not by its header. */
export async function extentOf(path: string, container: VideoContainer): Promise<Extent> {
  const demuxer = await openVideo(path, container);
  try {
    const stream = videoStream(demuxer);
    let packets = 0;
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for await (const packet of demuxer.packets(stream.index)) {
      if (!packet) break;
      beat();
      packets += 1;
      const at = (Number(packet.pts) * packet.timeBase.num) / packet.timeBase.den;
      if (Math.abs(at) < 1e9) [first, last] = [Math.min(first, at), Math.max(last, at)];
      packet.free();
    }
    const { width, height } = stream.codecpar;
    const seconds = Math.max(0, last - first);
    return { seconds, packets, pictures: seconds * rateOf(stream), pixels: width * height };
  } finally {
    await demuxer.close();
  }
}

/** Encodes the beginning of a video, to measure the cost. If that takes too long, a shorter part is used. */
export async function tryBeginning(
  path: string,
  container: VideoContainer,
  steps: Step[],
  trialSeconds: number,
): Promise<Trial> {
  const source = await openVideo(path, container);
  try {
    const stream = videoStream(source);
    const pictures = await openPictures(source);
    const read = { packets: 0 };
    const packets = beginning(source, stream.index, read, stopwatch(trialSeconds));
    // If packets are far apart, one packet can produce any number of pictures.
    const enough = 2 * sample * rateOf(stream);
    const before = process.cpuUsage();
    const frames: Frame[] = [];
    for await (const frame of pictures.of(packets)) {
      if (!frame) break;
      beat();
      frames.push(frame);
      if (frames.length >= enough) break;
    }
    const reading = { count: read.packets, seconds: secondsSince(before) };
    const making = new Map<Step, StepCost>();
    for (const step of steps)
      making.set(step, await makeOf(frames, step, pictures.clock, stopwatch(trialSeconds / steps.length)));
    for (const frame of frames) frame.free();
    return { reading, making };
  } finally {
    await source.close();
  }
}

/** Encodes one rendition of these frames, or of as many as there is time for, and discards it. */
async function makeOf(
  frames: Frame[],
  step: Step,
  clock: FilterAPI,
  isOver: () => boolean,
): Promise<StepCost> {
  const scale = FilterAPI.create(`scale=${step.size.width}:${step.size.height}`);
  const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    filter: clock,
    ...encoderOptions(step.kilobits, 60),
  });
  const free = (packets: Packet[]) => packets.forEach((packet) => void packet.free());
  const start = process.cpuUsage();
  let count = 0;
  for (const frame of frames) {
    beat();
    for (const scaled of await scale.processAll(frame)) {
      free(await encoder.encodeAll(scaled));
      scaled.free();
    }
    count += 1;
    if (isOver()) break;
  }
  free(await encoder.encodeAll(null));
  encoder.close();
  scale.close();
  return { count, seconds: secondsSince(start) };
}

/** The packets of the first seconds, or as many as can be read in time; then an end. */
async function* beginning(
  source: Demuxer,
  index: number,
  read: { packets: number },
  isOver: () => boolean,
): AsyncGenerator<Packet | null> {
  let first: number | undefined;
  for await (const packet of source.packets(index)) {
    if (!packet) break;
    beat();
    const at = (Number(packet.dts) * packet.timeBase.num) / packet.timeBase.den;
    first ??= at;
    read.packets += 1;
    yield packet;
    if (at - first >= sample || isOver()) break;
  }
  yield null;
}

/** Whether this many seconds are over. */
function stopwatch(seconds: number): () => boolean {
  const started = performance.now();
  return () => performance.now() - started >= seconds * 1000;
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
