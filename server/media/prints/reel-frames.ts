import { findSpots, wholeOf } from './find-spots.ts';
import { type GreyPicture, valueAt } from './grey-picture.ts';
import type { PicturePrint } from './picture-print.ts';
import type { Moment, ReelPrint } from './reel-print.ts';
import type { SoundWord } from './sound-words.ts';

/** Longer side in pixels of the frames in which spots are searched, and of those for later comparisons. */
export const frameSide = 256;
const comparedSide = 128;
/** Seconds between two frames, and the maximum number of frames: for a longer reel the interval is longer. */
const [firstStep, mostFrames] = [0.2, 480];
/** Maximum of stored moments of a reel, and of spots in each. */
const [mostMoments, fewMoments, spotsOfMoment] = [8, 5, 24];
/** A row or column whose values differ by no more than this in all frames belongs to a bar beside the picture. */
const plainBar = 24;
/** Pixels along each side of the pictures with which motion is measured. */
const coarse = 16;

/** A frame of a reel, its longer side `frameSide`. */
export interface SeenFrame {
  at: number;
  width: number;
  height: number;
  grey: Uint8Array;
}

/** Collects frames of a video at regular times. */
export function collectFrames() {
  let frames: SeenFrame[] = [];
  let step = firstStep;
  let next = Number.NEGATIVE_INFINITY;
  return {
    wants: (at: number) => at >= next,
    add(frame: SeenFrame) {
      frames.push(frame);
      if (frames.length > mostFrames) {
        step *= 2;
        frames = frames.filter((_, index) => index % 2 === 0);
      }
      next = (Math.floor(frame.at / step + 1e-6) + 1) * step - 1e-6;
    },
    frames: () => frames,
  };
}

/** The print of a reel; null if nothing can be seen in it. */
export function printOfFrames(
  seen: readonly SeenFrame[],
  { seconds, words }: { seconds: number; words: SoundWord[] },
): ReelPrint | null {
  const area = areaOf(seen);
  if (!area) return null;
  const [width, height] = sizeIn(area);
  const frames = seen.map((frame) => ({ at: frame.at, grey: shrunk(frame, area, [width, height]) }));
  const moments: Moment[] = [];
  for (const index of calmMoments(frames, [width, height], seconds)) {
    const [frame, small] = [seen[index], frames[index]];
    if (!frame || !small) continue;
    const spots = spotsIn(frame, area);
    if (spots.length > 1) moments.push({ at: frame.at, picture: { width, height, grey: small.grey, spots } });
  }
  if (moments.length === 0) return null;
  return { seconds, moments: moments.sort((moment, other) => moment.at - other.at), words, frames };
}

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The frames without the bars beside the picture. */
function areaOf(seen: readonly SeenFrame[]): Area | undefined {
  const [first] = seen;
  if (!first) return undefined;
  const { width, height } = first;
  const rows = Array.from({ length: height }, () => [255, 0] as [number, number]);
  const columns = Array.from({ length: width }, () => [255, 0] as [number, number]);
  const widen = (range: [number, number] | undefined, value: number) => {
    if (!range) return;
    if (value < range[0]) range[0] = value;
    if (value > range[1]) range[1] = value;
  };
  // A few frames from the whole reel are enough.
  const every = Math.max(1, Math.floor(seen.length / 40));
  for (const { grey } of seen.filter((_, index) => index % every === 0)) {
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const value = grey[y * width + x] ?? 0;
        widen(rows[y], value);
        widen(columns[x], value);
      }
    }
  }
  const shows = ([least, most]: [number, number]) => most - least > plainBar;
  const [top, bottom] = [rows.findIndex(shows), rows.findLastIndex(shows)];
  const [left, right] = [columns.findIndex(shows), columns.findLastIndex(shows)];
  const area = { left, top, width: right - left + 1, height: bottom - top + 1 };
  return top >= 0 && Math.min(area.width, area.height) >= 32 ? area : undefined;
}

function sizeIn({ width, height }: Area): [number, number] {
  const factor = comparedSide / Math.max(width, height);
  return [Math.max(8, Math.round(width * factor)), Math.max(8, Math.round(height * factor))];
}

function shrunk({ grey, width: line }: SeenFrame, area: Area, [width, height]: [number, number]): Buffer {
  const made = Buffer.alloc(width * height);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = span(area.top, area.height, [y, height]);
    for (let x = 0; x < width; x += 1) {
      const [left, right] = span(area.left, area.width, [x, width]);
      let sum = 0;
      for (let row = top; row < bottom; row += 1)
        for (let column = left; column < right; column += 1) sum += grey[row * line + column] ?? 0;
      made[y * width + x] = Math.round(sum / ((bottom - top) * (right - left)));
    }
  }
  return made;
}

/** The pixels that are averaged to one pixel: at least one. */
function span(start: number, length: number, [index, indexes]: [number, number]): [number, number] {
  const first = start + Math.floor((index * length) / indexes);
  return [first, Math.max(first + 1, start + Math.floor(((index + 1) * length) / indexes))];
}

function spotsIn(
  { grey, width: line }: SeenFrame,
  { left, top, width, height }: Area,
): PicturePrint['spots'] {
  const part = (x0: number, y0: number, across: number, down: number): GreyPicture => {
    const values = new Float32Array(across * down);
    for (let y = 0; y < down; y += 1)
      for (let x = 0; x < across; x += 1) values[y * across + x] = grey[(y0 + y) * line + x0 + x] ?? 0;
    return { width: across, height: down, values };
  };
  const spots = findSpots(part(left, top, width, height));
  if (spots.length === 1) return spots;
  // The square crop that other sites use.
  const side = Math.min(width, height);
  const [x0, y0] = [left + Math.floor((width - side) / 2), top + Math.floor((height - side) / 2)];
  return [
    ...spots.slice(0, -1).slice(0, spotsOfMoment),
    ...spots.slice(-1),
    wholeOf(part(x0, y0, side, side)),
  ];
}

/**
 * Indexes of the frames with the least motion around them: a trimmed or accelerated reel has the same ones, and neighbouring frames look
 * like them. If there are many, those with the most contrast are used; if there are few, others in between are added.
 */
function calmMoments(
  frames: readonly { at: number; grey: Buffer }[],
  [width, height]: [number, number],
  seconds: number,
): number[] {
  const coarsely = frames.map(({ grey }) => coarseOf({ width, height, values: Float32Array.from(grey) }));
  const steps = coarsely.map((values, index) => differenceOf(values, coarsely[index - 1] ?? values));
  const motion = steps.map((step, index) => step + (steps[index + 1] ?? step));
  const around = Math.min(1, Math.max(firstStep, seconds / 8));
  const isCalm = (index: number) =>
    frames.every(
      ({ at }, other) =>
        Math.abs(at - (frames[index]?.at ?? 0)) > around ||
        (motion[other] ?? 0) > (motion[index] ?? 0) ||
        (motion[other] === motion[index] && other >= index),
    );
  const contrast = coarsely.map(deviationOf);
  const shows = (index: number) => (contrast[index] ?? 0) > 4;
  const chosen = frames
    .map((_, index) => index)
    .filter((index) => shows(index) && isCalm(index))
    .sort((index, other) => (contrast[other] ?? 0) - (contrast[index] ?? 0))
    .slice(0, mostMoments);
  while (chosen.length < Math.min(fewMoments, frames.length)) {
    const away = (index: number) =>
      Math.min(...chosen.map((other) => Math.abs(other - index)), frames.length);
    const [furthest] = frames
      .map((_, index) => index)
      .filter((index) => shows(index) && away(index) > 0)
      .sort((index, other) => away(other) - away(index));
    if (furthest === undefined) break;
    chosen.push(furthest);
  }
  return chosen;
}

function coarseOf(picture: GreyPicture): Float32Array {
  const at = (index: number, length: number) => ((index + 0.5) / coarse) * length - 0.5;
  return Float32Array.from({ length: coarse ** 2 }, (_, index) =>
    valueAt(picture, at(index % coarse, picture.width), at(Math.floor(index / coarse), picture.height)),
  );
}

function differenceOf(values: Float32Array, others: Float32Array): number {
  return (
    values.reduce((sum, value, index) => sum + Math.abs(value - (others[index] ?? 0)), 0) / values.length
  );
}

function deviationOf(values: Float32Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
