import { type GreyPicture, valueAt } from './grey-picture.ts';
import { indexKey, keysLike, mirroredSpot, type PicturePrint, type Spot } from './picture-print.ts';
import { isRegular } from './regular.ts';

/**
 * Thresholds above which a picture is a copy. The two must correlate as a whole, and in most blocks with content: the same card with
 * another text correlates as a whole, but not where the text is.
 */
const rules = {
  agreement: 0.8,
  blockAgreement: 0.6,
  /** Share of the blocks with content that must correlate; and how many of the 64 blocks must have content. */
  blocks: 0.87,
  leastBlocks: 10,
  /** Share of the area of either picture that overlaps the other. */
  leastShare: 0.3,
  /** Correlation of two regular pictures. */
  allOver: 0.93,
};
/** Thresholds after fine alignment: two photos of one place correlate, but objects near the camera have moved. */
const closely: Agreement = { agreement: 0.8, blockAgreement: 0.9, blocks: 0.75 };
/** Below this variance of its grey values a block has no content. */
const plain = 12;
/** Sample points along each side: for the search of the placement, for the verdict, and in a block. */
const [rough, fine, block] = [16, 64, 8];
const roughly: Steps = { from: 0.02, to: 0.002, points: rough };
const finely: Steps = { from: 0.01, to: 0.001, points: 48 };

/** The affine map from one picture to another: `x → scaleX · x + x0`, both from 0 to 1. */
export interface Placement {
  scaleX: number;
  scaleY: number;
  x0: number;
  y0: number;
}
export const whole: Placement = { scaleX: 1, scaleY: 1, x0: 0, y0: 0 };

/** The required correlation of two pictures, of a block, and the required share of blocks. */
interface Agreement {
  agreement: number;
  blockAgreement: number;
  blocks: number;
}

/** The first and last step of the search for a placement, and the sample points along each side. */
interface Steps {
  from: number;
  to: number;
  points: number;
}

interface Pair {
  here: Spot;
  there: Spot;
}

/** Whether a picture shows the same as another one, or a part of it, or contains it; also if it is mirrored. */
export function isCopy(picture: PicturePrint, original: PicturePrint): boolean {
  const target = greyOf(original);
  return [picture, mirroredPicture(picture)].some((turned) => {
    const pairs = pairsOf(turned.spots, original.spots);
    if (pairs.length === 0) return false;
    const source = greyOf(turned);
    const starts = [whole, ...placementsOf(pairs, [turned, original]).map(({ placement }) => placement)];
    const agree =
      agreeClosely(source, target, whole) ||
      starts.some((start) => agreeClosely(source, target, adjusted(source, target, start)));
    return agree && (isSameAllOver(source, target) || (!isRegular(source) && !isRegular(target)));
  });
}

/** Whether the two correlate at a placement, and closely at a better one beside it. */
function agreeClosely(source: GreyPicture, target: GreyPicture, placement: Placement): boolean {
  return (
    agreesAt(source, target, placement) &&
    agreesAt(source, target, adjusted(source, target, placement, finely), closely)
  );
}

/** A regular picture matches many others of its kind at some placement, so it must correlate as a whole. */
function isSameAllOver(source: GreyPicture, target: GreyPicture): boolean {
  const values = valuesAt(source, target, { placement: whole, points: fine });
  return correlation(values).agreement >= rules.allOver;
}

function greyOf({ width, height, grey }: PicturePrint): GreyPicture {
  return { width, height, values: Float32Array.from(grey) };
}

export function mirroredPicture({ width, height, grey, spots }: PicturePrint): PicturePrint {
  const turned = Buffer.alloc(grey.length);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      turned[row * width + column] = grey[row * width + width - 1 - column] ?? 0;
  return { width, height, grey: turned, spots: spots.map(mirroredSpot) };
}

/** Pairs of similar spots. */
export function pairsOf(spots: readonly Spot[], others: readonly Spot[]): Pair[] {
  const byKey = Map.groupBy(others, indexKey);
  return spots.flatMap((here) =>
    keysLike(here).flatMap((key) => (byKey.get(key) ?? []).map((there) => ({ here, there }))),
  );
}

/** The most likely placements, computed from one pair or from two distant pairs: those that most other pairs confirm. */
export function placementsOf(
  pairs: readonly Pair[],
  [picture, original]: readonly [PicturePrint, PicturePrint],
): { placement: Placement; votes: number }[] {
  const isWhole = ({ here }: Pair) => here.size === 1;
  const spots = pairs.filter((pair) => !isWhole(pair));
  const placements = spots.map((pair) => ofOne(pair, [picture, original]));
  for (const [index, pair] of spots.entries())
    for (const other of spots.slice(index + 1)) placements.push(...ofTwo(pair, other));
  const votes = (placement: Placement) => spots.filter((pair) => confirms(pair, placement)).length;
  return placements
    .map((placement) => ({ placement, votes: votes(placement) }))
    .sort((placed, other) => other.votes - placed.votes)
    .slice(0, 3);
}

function ofOne({ here, there }: Pair, [picture, original]: readonly [PicturePrint, PicturePrint]): Placement {
  // Sizes are shares of the longer sides.
  const zoom =
    (there.size * Math.max(original.width, original.height)) /
    here.size /
    Math.max(picture.width, picture.height);
  const scaleX = (zoom * picture.width) / original.width;
  const scaleY = (zoom * picture.height) / original.height;
  return { scaleX, scaleY, x0: there.x - scaleX * here.x, y0: there.y - scaleY * here.y };
}

/** None if the two pairs are too close together to compute the scale. */
function ofTwo(pair: Pair, other: Pair): Placement[] {
  const [x, y] = [other.here.x - pair.here.x, other.here.y - pair.here.y];
  if (Math.min(Math.abs(x), Math.abs(y)) < 0.12) return [];
  const scaleX = (other.there.x - pair.there.x) / x;
  const scaleY = (other.there.y - pair.there.y) / y;
  if (Math.min(scaleX, scaleY) < 0.25 || Math.max(scaleX, scaleY) > 4) return [];
  return [
    { scaleX, scaleY, x0: pair.there.x - scaleX * pair.here.x, y0: pair.there.y - scaleY * pair.here.y },
  ];
}

function confirms({ here, there }: Pair, { scaleX, scaleY, x0, y0 }: Placement): boolean {
  const near = 0.02;
  return Math.abs(scaleX * here.x + x0 - there.x) < near && Math.abs(scaleY * here.y + y0 - there.y) < near;
}

/** Moves and scales a placement in smaller and smaller steps, as long as the correlation increases. */
export function adjusted(
  source: GreyPicture,
  target: GreyPicture,
  start: Placement,
  { from, to, points }: Steps = roughly,
): Placement {
  let best = start;
  let most = agreement(source, target, start, points);
  for (let step = from; step > to; step /= 2) {
    for (let round = 0, better = true; better && round < 4; round += 1) {
      better = false;
      for (const placement of movesOf(best, step)) {
        if (shareOf(placement) < rules.leastShare) continue;
        const now = agreement(source, target, placement, points);
        if (now <= most) continue;
        [best, most, better] = [placement, now, true];
      }
    }
  }
  return best;
}

function movesOf({ scaleX, scaleY, x0, y0 }: Placement, step: number): Placement[] {
  return [step, -step].flatMap((by) => [
    { scaleX, scaleY, x0: x0 + by, y0 },
    { scaleX, scaleY, x0, y0: y0 + by },
    { scaleX: scaleX + by, scaleY, x0: x0 - by / 2, y0 },
    { scaleX, scaleY: scaleY + by, x0, y0: y0 - by / 2 },
  ]);
}

/** The part of the picture that overlaps the other one. */
function overlapOf({ scaleX, scaleY, x0, y0 }: Placement) {
  const left = Math.max(0, -x0 / scaleX);
  const top = Math.max(0, -y0 / scaleY);
  const width = Math.max(0, Math.min(1, (1 - x0) / scaleX) - left);
  const height = Math.max(0, Math.min(1, (1 - y0) / scaleY) - top);
  return { left, top, width, height };
}

/** The share of the picture's area that overlaps the other one. */
export function coveredBy(placement: Placement): number {
  const { width, height } = overlapOf(placement);
  return width * height;
}

function shareOf(placement: Placement): number {
  const area = coveredBy(placement);
  // The share of the picture that is covered more: a crop is covered completely, and a framed picture covers the other one completely.
  return Math.min(area, 1) * Math.min(1, placement.scaleX * placement.scaleY, 1 / area);
}

interface Values {
  here: number[];
  there: number[];
}

/** Values of both pictures at a grid of points in their overlap. */
export function valuesAt(
  source: GreyPicture,
  target: GreyPicture,
  { placement, points }: { placement: Placement; points: number },
): Values {
  const { left, top, width, height } = overlapOf(placement);
  const { scaleX, scaleY, x0, y0 } = placement;
  const values: Values = { here: [], there: [] };
  const at = (picture: GreyPicture, x: number, y: number) =>
    valueAt(picture, x * picture.width - 0.5, y * picture.height - 0.5);
  for (let row = 0; row < points; row += 1) {
    for (let column = 0; column < points; column += 1) {
      const [x, y] = [left + (width * (column + 0.5)) / points, top + (height * (row + 0.5)) / points];
      values.here.push(at(source, x, y));
      values.there.push(at(target, scaleX * x + x0, scaleY * y + y0));
    }
  }
  return values;
}

export function agreement(
  source: GreyPicture,
  target: GreyPicture,
  placement: Placement,
  points = rough,
): number {
  return correlation(valuesAt(source, target, { placement, points })).agreement;
}

/** The correlation of two lists, and the larger one of their variances. */
function correlation({ here, there }: Values): { agreement: number; variance: number } {
  const count = here.length;
  const sums = [0, 0, 0, 0, 0] as [number, number, number, number, number];
  for (let index = 0; index < count; index += 1) {
    const [one, other] = [here[index] ?? 0, there[index] ?? 0];
    sums[0] += one;
    sums[1] += other;
    sums[2] += one * one;
    sums[3] += other * other;
    sums[4] += one * other;
  }
  const [one, other, ones, others, both] = sums.map((sum) => sum / count) as typeof sums;
  const [mine, theirs] = [ones - one ** 2, others - other ** 2];
  const agreement = (both - one * other) / Math.sqrt((mine + 0.001) * (theirs + 0.001));
  return { agreement, variance: Math.max(mine, theirs) };
}

/** Whether the two correlate enough at a placement, and overlap enough. */
export function agreesAt(
  source: GreyPicture,
  target: GreyPicture,
  placement: Placement,
  least: Agreement = rules,
): boolean {
  if (shareOf(placement) < rules.leastShare) return false;
  const values = valuesAt(source, target, { placement, points: fine });
  if (correlation(values).agreement < least.agreement) return false;
  const blocks = blocksOf(values)
    .map(correlation)
    .filter(({ variance }) => variance >= plain);
  const agreeing = blocks.filter(({ agreement }) => agreement > least.blockAgreement);
  return blocks.length >= rules.leastBlocks && agreeing.length >= least.blocks * blocks.length;
}

function blocksOf({ here, there }: Values): Values[] {
  const across = fine / block;
  const blocks = Array.from({ length: across ** 2 }, (): Values => ({ here: [], there: [] }));
  for (let index = 0; index < here.length; index += 1) {
    const [row, column] = [Math.floor(index / fine), index % fine];
    const values = blocks[Math.floor(row / block) * across + Math.floor(column / block)];
    values?.here.push(here[index] ?? 0);
    values?.there.push(there[index] ?? 0);
  }
  return blocks;
}
