import { randomFrom } from './random.ts';

/*
 * Some tests have hundreds of cases: invented histories, damaged files, videos of every kind, awkward strings. `npm test`
 * takes a share of them, the same in each run; `npm run test:long` takes all. A test file that imports this module
 * runs in both (vitest.config.ts). The variables select more cases, or others (CONTRIBUTING.md).
 */
export const isWhole = process.env.LONG === '1';

/** The number of cases: the variable if it is set, otherwise the share, or all. */
export function howMany(variable: string, { share, whole }: { share: number; whole: number }): number {
  return Number(process.env[variable] ?? (isWhole ? whole : share));
}

/** The seed of the share; `SEED=7` draws another one. */
export function seedOr(usual: number): number {
  return Number(process.env.SEED ?? usual);
}

/** This many items of a list, drawn by the seed, in the order of the list; all of them in `test:long`. */
export function someOf<T>(all: readonly T[], count: number, seed = seedOr(1)): readonly T[] {
  if (isWhole) return all;
  const random = randomFrom(seed);
  const places = all.map((_, place) => place);
  const drawn = new Set<number>();
  while (drawn.size < Math.min(count, all.length))
    drawn.add(places.splice(Math.floor(random(places.length)), 1)[0] ?? 0);
  return all.filter((_, place) => drawn.has(place));
}
