import { blurred, type GreyPicture, halved, valueAt } from './grey-picture.ts';
import { frequencies, type Spot, weakBits } from './picture-print.ts';

/** Maximum of stored spots of a picture: the strongest ones. */
const maxSpots = 64;
/** Differences of grey below this one are noise. */
const minContrast = 1.2;
/** A spot more elongated than this is ignored: its position along the line is uncertain. */
const maxElongation = 10;
/** Samples along each side of a spot's surroundings, and their extent in multiples of its size. */
const [samples, reach] = [12, 6];
/** Blur of the first picture of each octave, and the number of sizes in an octave. */
const [firstBlur, sizesAnOctave] = [1.6, 2];

const cosines = Array.from({ length: 7 }, (_, frequency) =>
  Float32Array.from({ length: samples }, (_, index) =>
    Math.cos(((2 * index + 1) * frequency * Math.PI) / (2 * samples)),
  ),
);

/**
 * Finds the spots of a picture by SIFT (Lowe 2004): extremes of the difference of two blurs, in place and size. A crop
 * or a scaled version of the picture has the same ones. The whole picture is one more spot.
 */
export function findSpots(picture: GreyPicture): Spot[] {
  const longer = Math.max(picture.width, picture.height);
  const candidates: (Spot & { contrast: number })[] = [];
  let base = blurred(picture, Math.sqrt(firstBlur ** 2 - 0.25));
  for (let zoom = 1; Math.min(base.width, base.height) >= 16; zoom *= 2) {
    const blurs = [base];
    for (let step = 0; step < sizesAnOctave + 2; step += 1)
      blurs.push(blurred(blurs[step] ?? base, firstBlur * 2 ** (step / sizesAnOctave)));
    for (const { x, y, level, contrast } of extremes(differences(blurs))) {
      const deviation = firstBlur * 2 ** (level / sizesAnOctave);
      const spacing = (2 * reach * deviation) / samples;
      const around = blurs[Math.round(level)] ?? base;
      const offset = (index: number) => (index - samples / 2 + 0.5) * spacing;
      candidates.push({
        x: ((x + 0.5) * zoom) / picture.width,
        y: ((y + 0.5) * zoom) / picture.height,
        size: (deviation * zoom) / longer,
        contrast: contrast * Math.sqrt(zoom),
        ...keyOf((column, row) => valueAt(around, x + offset(column), y + offset(row))),
      });
    }
    base = halved(blurs[sizesAnOctave * 2] ?? base);
  }
  candidates.sort((spot, other) => other.contrast - spot.contrast);
  const spots = candidates.slice(0, maxSpots).map(({ contrast: _, ...spot }) => spot);
  return [...spots, wholeOf(picture)];
}

/** The whole picture as one spot. */
export function wholeOf(picture: GreyPicture): Spot {
  const coarse = blurred(picture, Math.max(picture.width, picture.height) / 40);
  const at = (index: number, length: number) => ((index + 0.5) / samples) * length - 0.5;
  const { key, weak } = keyOf((column, row) =>
    valueAt(coarse, at(column, coarse.width), at(row, coarse.height)),
  );
  return { x: 0.5, y: 0.5, size: 1, key, weak };
}

/** The signs of the low frequencies of a square of values: they do not depend on brightness and contrast. */
function keyOf(value: (column: number, row: number) => number): Pick<Spot, 'key' | 'weak'> {
  const rows = Array.from({ length: samples }, (_, row) => {
    const line = Float32Array.from({ length: samples }, (_, column) => value(column, row));
    return cosines.map((cosine) => sumOf(line, cosine));
  });
  let key = 0;
  const strengths = frequencies.map(({ u, v }, bit) => {
    const column = Float32Array.from(rows, (row) => row[u] ?? 0);
    const part = sumOf(column, cosines[v] ?? column);
    if (part > 0) key |= 1 << bit;
    return { bit, strength: Math.abs(part) };
  });
  strengths.sort((wave, other) => wave.strength - other.strength);
  return { key: key >>> 0, weak: strengths.slice(0, weakBits).map(({ bit }) => bit) };
}

function sumOf(values: Float32Array, weights: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += (values[index] ?? 0) * (weights[index] ?? 0);
  return sum;
}

function differences(blurs: readonly GreyPicture[]): GreyPicture[] {
  return blurs.slice(1).map((coarser, index) => {
    const finer = blurs[index] ?? coarser;
    const values = coarser.values.map((value, at) => value - (finer.values[at] ?? 0));
    return { ...coarser, values };
  });
}

interface Extreme {
  x: number;
  y: number;
  /** Index of the difference of blurs, which may be fractional. */
  level: number;
  contrast: number;
}

/** Values that are above or below all of their 26 neighbours in place and size. */
function extremes(layers: readonly GreyPicture[]): Extreme[] {
  const peaks: Extreme[] = [];
  for (const level of layers.slice(2).map((_, index) => index + 1)) {
    const [below, layer, above] = layers.slice(level - 1, level + 2);
    if (!below || !layer || !above) continue;
    const { width, height, values } = layer;
    for (let y = 1; y < height - 1; y += 1) {
      for (let x = 1; x < width - 1; x += 1) {
        const at = y * width + x;
        const value = values[at] ?? 0;
        if (Math.abs(value) < minContrast || !isExtreme([below, layer, above], at)) continue;
        const of = (offset: number) => values[at + offset] ?? 0;
        if (isLine(of, width)) continue;
        peaks.push({
          x: x + peak(of(-1), value, of(1)),
          y: y + peak(of(-width), value, of(width)),
          level: level + peak(below.values[at] ?? 0, value, above.values[at] ?? 0),
          contrast: Math.abs(value),
        });
      }
    }
  }
  return peaks;
}

function isExtreme([below, layer, above]: [GreyPicture, GreyPicture, GreyPicture], at: number): boolean {
  const value = layer.values[at] ?? 0;
  const sign = value > 0 ? 1 : -1;
  for (const { values } of [layer, below, above]) {
    for (const row of [-layer.width, 0, layer.width]) {
      for (const column of [-1, 0, 1]) {
        if (values === layer.values && row === 0 && column === 0) continue;
        if (sign * (values[at + row + column] ?? 0) >= sign * value) return false;
      }
    }
  }
  return true;
}

/** Whether the value changes much less in one direction than across it. */
function isLine(of: (offset: number) => number, width: number): boolean {
  const across = of(1) + of(-1) - 2 * of(0);
  const down = of(width) + of(-width) - 2 * of(0);
  const diagonal = (of(width + 1) - of(width - 1) - of(-width + 1) + of(-width - 1)) / 4;
  const area = across * down - diagonal ** 2;
  return area <= 0 || (across + down) ** 2 / area > (maxElongation + 1) ** 2 / maxElongation;
}

/** The position of the extreme of a parabola through the three values, relative to the middle one. */
function peak(before: number, value: number, after: number): number {
  const bend = before + after - 2 * value;
  return bend === 0 ? 0 : Math.max(-0.5, Math.min(0.5, (before - after) / (2 * bend)));
}
