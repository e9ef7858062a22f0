import {
  adjusted,
  agreement,
  agreesAt,
  coveredBy,
  mirroredPicture,
  type Placement,
  pairsOf,
  placementsOf,
  valuesAt,
  whole,
} from './compare-prints.ts';
import type { GreyPicture } from './grey-picture.ts';
import type { PicturePrint } from './picture-print.ts';
import type { ReelPrint } from './reel-print.ts';

/** Thresholds above which a reel is a copy. Sound finds candidates and decides nothing: the same song is in many reels. */
const rules = {
  /** Share of the longer reel's length that both have in common: a smaller part is a quotation in a work of its own. */
  common: 0.5,
  /** Share of the copy's area that overlaps the earlier one: less is a duet. */
  leastCovered: 0.6,
  /** Lower than for pictures, because several moments have to match, and text and logos cover parts of them. */
  moment: { agreement: 0.74, blockAgreement: 0.6, blocks: 0.78 },
  /** Share of the earlier one's moments within the copy that must match, and their least number if there are as many. */
  moments: 0.75,
  leastMoments: 3,
  /** Correlation of the changes between moments: two reels of one room have the same background, but other people move in it. */
  movement: 0.55,
  /** Mean square of these changes below which nothing moves. */
  still: 9,
};
/** Factors by which the copy may be faster or slower. */
const speeds = Array.from({ length: 17 }, (_, step) => 0.92 + step * 0.01);
/** Sample points along each side: for the search of the time, and for the comparison of movements. */
const [rough, moving] = [16, 24];
/** Number of frames tried for a moment, and of placements from spots. */
const [triedFrames, triedPlacements] = [3, 6];

/** A reel prepared for several comparisons. */
export interface OpenReel {
  print: ReelPrint;
  frames: TimedPicture[];
}

interface TimedPicture {
  at: number;
  picture: GreyPicture;
  /** The whole picture, with mean 0 and length 1. */
  coarse: Float32Array;
}

/** A reel with all its frames, as it is and mirrored. */
export function openReel(print: ReelPrint): OpenReel[] {
  const [first] = print.moments;
  if (!first) return [];
  const { width, height } = first.picture;
  const turned = print.moments.map(({ at, picture }) => ({ at, picture: mirroredPicture(picture) }));
  const frames = print.frames.map(({ at, grey }) =>
    timed(at, { width, height, values: Float32Array.from(grey) }),
  );
  const mirrored = frames.map(({ at, picture }) => timed(at, flipped(picture)));
  return [
    { print, frames },
    { print: { ...print, moments: turned }, frames: mirrored },
  ];
}

const timed = (at: number, picture: GreyPicture): TimedPicture => ({
  at,
  picture,
  coarse: coarseOf(picture, whole),
});

/** Normalized values of a part of a picture. */
function coarseOf(picture: GreyPicture, placement: Placement): Float32Array {
  const values = Float32Array.from(valuesAt(picture, picture, { placement, points: rough }).there);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const centred = values.map((value) => value - mean);
  const length = Math.sqrt(centred.reduce((sum, value) => sum + value * value, 0.001));
  return centred.map((value) => value / length);
}

function likeness(values: Float32Array, others: Float32Array): number {
  return values.reduce((sum, value, index) => sum + value * (others[index] ?? 0), 0);
}

/** A frame corresponds to the whole picture of a moment, or to its middle if the shape differs. */
function windowsOn(picture: GreyPicture, frame: GreyPicture | undefined): Placement[] {
  const shape = frame ? frame.width / frame.height / (picture.width / picture.height) : 1;
  if (Math.abs(shape - 1) < 0.05) return [whole];
  const [scaleX, scaleY] = [Math.min(1, shape), Math.min(1, 1 / shape)];
  return [whole, { scaleX, scaleY, x0: (1 - scaleX) / 2, y0: (1 - scaleY) / 2 }];
}

function flipped({ width, height, values }: GreyPicture): GreyPicture {
  const made = values.map((_, at) => values[at - (at % width) + width - 1 - (at % width)] ?? 0);
  return { width, height, values: made };
}

/** Whether a reel shows the same as an earlier one, of which only moments are stored. */
export function isCopyOfReel(reels: readonly OpenReel[], original: ReelPrint): boolean {
  const moments = original.moments.map(({ at, picture }) => ({
    ...timed(at, { ...picture, values: Float32Array.from(picture.grey) }),
    print: picture,
  }));
  const { seconds } = original;
  return reels.some((reel) =>
    startsOf(reel, moments).some(({ moment, frame, placement }) => {
      const placed = placeOf(frame, moment, placement);
      return (
        placed !== undefined && agreeInTime(reel, { moments, seconds }, { moment, frame, placement: placed })
      );
    }),
  );
}

/** The placement at which the two match: the given one, or an adjusted one, since overlays on the copy can mislead the adjustment. */
function placeOf(frame: TimedPicture, moment: TimedPicture, placement: Placement): Placement | undefined {
  const agree = (placed: Placement) =>
    coveredBy(placed) >= rules.leastCovered && agreesAt(frame.picture, moment.picture, placed, rules.moment);
  if (agree(placement)) return placement;
  const placed = adjusted(frame.picture, moment.picture, placement);
  return agree(placed) ? placed : undefined;
}

type Known = TimedPicture & { print: PicturePrint };

interface Start {
  moment: Known;
  frame: TimedPicture;
  /** Of the frame on the moment's picture. */
  placement: Placement;
}

/** Where to begin: frames that look like a moment as a whole, and moments of both that share spots. */
function startsOf({ print, frames }: OpenReel, moments: readonly Known[]): Start[] {
  const alike = moments.flatMap((moment) =>
    windowsOn(moment.picture, frames[0]?.picture).flatMap((placement) => {
      const wanted = placement === whole ? moment.coarse : coarseOf(moment.picture, placement);
      const best: { frame: TimedPicture; like: number }[] = [];
      const sorted = frames
        .map((frame) => ({ frame, like: likeness(frame.coarse, wanted) }))
        .filter(({ like }) => like > 0.6)
        .sort((pair, other) => other.like - pair.like);
      for (const pair of sorted) {
        if (best.length === triedFrames) break;
        if (best.every(({ frame }) => Math.abs(frame.at - pair.frame.at) > 1)) best.push(pair);
      }
      return best.map((pair) => ({ ...pair, moment, placement }));
    }),
  );
  const spotted = print.moments.flatMap(({ at, picture }) => {
    const frame = frames.find((timed) => Math.abs(timed.at - at) < 0.006);
    if (!frame) return [];
    return moments.flatMap((moment) => {
      const pairs = pairsOf(picture.spots, moment.print.spots);
      if (pairs.filter(({ here }) => here.size < 1).length < 2) return [];
      return placementsOf(pairs, [picture, moment.print]).map(({ placement, votes }) => ({
        votes,
        moment,
        frame,
        placement,
      }));
    });
  });
  alike.sort((pair, other) => other.like - pair.like);
  spotted.sort((pair, other) => other.votes - pair.votes);
  return [
    ...alike.slice(0, 2 * triedPlacements),
    ...spotted.filter(({ votes }) => votes > 1).slice(0, triedPlacements),
  ];
}

/** Whether the other moments are found at their expected times, for one speed of the copy. */
function agreeInTime(
  { print, frames }: OpenReel,
  { moments, seconds }: { moments: readonly Known[]; seconds: number },
  { moment: first, frame: start, placement }: Start,
): boolean {
  const known = new Map<string, number>();
  const agreementOf = (moment: Known, index: number) => {
    const key = `${moment.at} ${index}`;
    const frame = frames[index];
    if (!known.has(key) && frame) known.set(key, agreement(frame.picture, moment.picture, placement));
    return known.get(key) ?? 0;
  };
  const step = Math.max(0.1, print.seconds / Math.max(1, frames.length));
  const near = (at: number) =>
    frames.flatMap((frame, index) => (Math.abs(frame.at - at) <= 1.5 * step ? [index] : []));
  let best: { match: { moment: Known; index: number }[]; sum: number; speed: number } | undefined;
  for (const speed of speeds) {
    const match = moments.flatMap((moment) => {
      const indexes = near(start.at + (moment.at - first.at) / speed);
      const [index] = indexes.sort((frame, other) => agreementOf(moment, other) - agreementOf(moment, frame));
      return index === undefined ? [] : [{ moment, index }];
    });
    const sum = match.reduce((total, { moment, index }) => total + agreementOf(moment, index), 0);
    if (!best || sum > best.sum) best = { match, sum, speed };
  }
  if (!best) return false;
  const { match, speed } = best;
  // Start of the copy relative to the earlier one, in the earlier one's seconds.
  const begin = first.at - start.at * speed;
  const both = Math.min(seconds, begin + print.seconds * speed) - Math.max(0, begin);
  if (both < rules.common * Math.max(seconds, print.seconds * speed)) return false;
  const matched = match.flatMap(({ moment, index }) => {
    const frame = frames[index];
    return frame ? [{ moment, frame }] : [];
  });
  const agreeing = matched.filter(({ moment, frame }) => placeOf(frame, moment, placement));
  return (
    agreeing.length >= Math.min(rules.leastMoments, moments.length) &&
    agreeing.length >= rules.moments * matched.length &&
    moveAlike(matched, placement)
  );
}

/** Whether the differences between moments are the same in both. */
function moveAlike(
  matched: readonly { moment: Known; frame: TimedPicture }[],
  placement: Placement,
): boolean {
  const values = matched.map(({ moment, frame }) => {
    const { here, there } = valuesAt(frame.picture, moment.picture, { placement, points: moving });
    return { here: balanced(here), there: balanced(there) };
  });
  const [here, there] = [changes(values.map(({ here }) => here)), changes(values.map(({ there }) => there))];
  const power = (list: number[]) => list.reduce((sum, value) => sum + value * value, 0) / list.length;
  const [mine, theirs] = [power(here), power(there)];
  if (mine < rules.still && theirs < rules.still) return true;
  const both = here.reduce((sum, value, index) => sum + value * (there[index] ?? 0), 0) / here.length;
  return both / Math.sqrt((mine + 0.001) * (theirs + 0.001)) >= rules.movement;
}

/** Values normalized to the same brightness and contrast. */
function balanced(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 1) / values.length);
  return values.map((value) => (32 * (value - mean)) / deviation);
}

function changes(frames: readonly (readonly number[])[]): number[] {
  const means = (frames[0] ?? []).map(
    (_, index) => frames.reduce((sum, frame) => sum + (frame[index] ?? 0), 0) / frames.length,
  );
  return frames.flatMap((frame) => frame.map((value, index) => value - (means[index] ?? 0)));
}
