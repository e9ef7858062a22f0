import type { GreyPicture } from './grey-picture.ts';

/** In a regular picture the autocorrelation rises by this much from its minimum to a larger distance, and reaches this value there. */
const [rise, again] = [0.5, 0.7];

/**
 * Whether a picture is regular, like cloth and tiles: similar to itself a little to the side, and less at half of that. It then resembles
 * many others of its kind.
 */
export function isRegular(picture: GreyPicture): boolean {
  return repeats(picture, picture.width, 1) || repeats(picture, picture.height, picture.width);
}

function repeats(picture: GreyPicture, length: number, step: number): boolean {
  let least = 1;
  for (let distance = 1; distance <= length / 2; distance += 1) {
    const agreement = agreementWithSelf(picture, { length, step, distance });
    if (agreement >= again && agreement - least >= rise) return true;
    least = Math.min(least, agreement);
  }
  return false;
}

function agreementWithSelf(
  { width, values }: GreyPicture,
  { length, step, distance }: { length: number; step: number; distance: number },
): number {
  const sums = { count: 0, one: 0, other: 0, ones: 0, others: 0, both: 0 };
  for (let at = 0; at < values.length; at += 1) {
    const index = step === 1 ? at % width : Math.floor(at / width);
    if (index + distance >= length) continue;
    const [one, other] = [values[at] ?? 0, values[at + distance * step] ?? 0];
    sums.count += 1;
    sums.one += one;
    sums.other += other;
    sums.ones += one * one;
    sums.others += other * other;
    sums.both += one * other;
  }
  const { count, one, other } = sums;
  const [mine, theirs] = [sums.ones - one ** 2 / count, sums.others - other ** 2 / count];
  return (sums.both - (one * other) / count) / Math.sqrt((mine + 1) * (theirs + 1));
}
