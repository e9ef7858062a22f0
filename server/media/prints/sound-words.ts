/*
 * Words that identify the sound of a reel (docs/decisions/0070-copies-of-reels.md): one for each eighth of a second, after Haitsma and
 * Kalker 2002. Loudness, equalizing and encoding change few of their bits.
 */

export interface SoundWord {
  /** In eighths of a second from the beginning. */
  index: number;
  word: number;
  /** The bits that are most likely to differ in a copy. */
  weak: number[];
}

/** Sample rate for words. */
export const sampleRate = 5512;
const wordsASecond = 8;
export const weakBitsOfWord = 3;
const bits = 24;
/** Distance in words between the two moments whose difference a word encodes: the length of a word. */
const gap = 3;
/** Samples of a word: three eighths of a second. */
const span = 2048;
/** The bands whose loudness is compared, in Hz. */
const [lowest, highest] = [300, 2000];
/** Mean of the squared samples below which it is silent. */
const silence = 1e-6;
/** A band that changes by less than this share of the mean has no information; and the minimum number of bands that do. */
const [leastChange, leastBits] = [0.02, 12];

const hann = Float64Array.from({ length: span }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / span));
const turns = Array.from({ length: span / 2 }, (_, turn) => (-2 * Math.PI * turn) / span);
const [cosines, sines] = [Float64Array.from(turns, Math.cos), Float64Array.from(turns, Math.sin)];
const edges = Array.from({ length: bits + 2 }, (_, band) =>
  Math.round((lowest * (highest / lowest) ** (band / (bits + 1)) * span) / sampleRate),
);

/** The words of mono samples; none in silence or for a single tone. */
export function soundWords(samples: Float32Array): SoundWord[] {
  const words: SoundWord[] = [];
  const bands: (Float64Array | undefined)[] = [];
  for (let index = 0; ; index += 1) {
    const start = Math.round((index * sampleRate) / wordsASecond);
    if (start + span > samples.length) return words;
    bands.push(bandsOf(samples.subarray(start, start + span)));
    const [before, now] = [bands[index - gap], bands[index]];
    const word = before && now && wordOf(before, now);
    if (word) words.push({ index, ...word });
  }
}

function wordOf(before: Float64Array, now: Float64Array): Omit<SoundWord, 'index'> | undefined {
  const mean = now.reduce((sum, energy) => sum + energy, 0) / now.length;
  const step = (energies: Float64Array, bit: number) => (energies[bit] ?? 0) - (energies[bit + 1] ?? 0);
  let word = 0;
  const strengths = Array.from({ length: bits }, (_, bit) => {
    const change = step(now, bit) - step(before, bit);
    if (change > 0) word |= 1 << bit;
    return { bit, strength: Math.abs(change) };
  });
  if (strengths.filter(({ strength }) => strength > leastChange * mean).length < leastBits) return undefined;
  strengths.sort((band, other) => band.strength - other.strength);
  return { word: word >>> 0, weak: strengths.slice(0, weakBitsOfWord).map(({ bit }) => bit) };
}

/** The loudness of each band; undefined in silence. */
function bandsOf(samples: Float32Array): Float64Array | undefined {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  if (energy / span < silence) return undefined;
  const real = Float64Array.from(samples, (sample, at) => sample * (hann[at] ?? 0));
  const imaginary = new Float64Array(span);
  transform(real, imaginary);
  return Float64Array.from({ length: bits + 1 }, (_, band) => {
    let sum = 0;
    for (let at = edges[band] ?? 0; at < (edges[band + 1] ?? 0); at += 1)
      sum += (real[at] ?? 0) ** 2 + (imaginary[at] ?? 0) ** 2;
    // Logarithmic like hearing: otherwise the loudest band would dominate.
    return Math.log1p(sum);
  });
}

/** The fast Fourier transform of real values, in place; `span` of them, a power of two. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const length = real.length;
  for (let at = 1, turned = 0; at < length; at += 1) {
    let bit = length >> 1;
    for (; turned & bit; bit >>= 1) turned ^= bit;
    turned ^= bit;
    if (at >= turned) continue;
    const held = real[at] ?? 0;
    real[at] = real[turned] ?? 0;
    real[turned] = held;
  }
  for (let size = 2; size <= length; size *= 2) {
    for (let turn = 0; turn < size / 2; turn += 1) {
      const cosine = cosines[(turn * span) / size] ?? 0;
      const sine = sines[(turn * span) / size] ?? 0;
      for (let at = turn; at < length; at += size) {
        const other = at + size / 2;
        const re = (real[other] ?? 0) * cosine - (imaginary[other] ?? 0) * sine;
        const im = (real[other] ?? 0) * sine + (imaginary[other] ?? 0) * cosine;
        real[other] = (real[at] ?? 0) - re;
        imaginary[other] = (imaginary[at] ?? 0) - im;
        real[at] = (real[at] ?? 0) + re;
        imaginary[at] = (imaginary[at] ?? 0) + im;
      }
    }
  }
}
