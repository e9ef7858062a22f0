import { randomFrom } from './random.ts';

/*
 * Some things are tested by the hundred: invented histories, damaged files, films of every kind, awkward strings. `npm test`
 * takes a share of them, the same one in each run; `npm run test:long` takes them all. A test file that imports this module
 * runs in both (vitest.config.ts). The variables ask for more, or for others (CONTRIBUTING.md).
 */
export const isWhole = process.env.LONG === '1';

/** How many of something: what the variable says where it is set, and otherwise the share, or all of it. */
export function howMany(variable: string, { share, whole }: { share: number; whole: number }): number {
  return Number(process.env[variable] ?? (isWhole ? whole : share));
}

/** What the share is drawn with; `SEED=7` draws another one. */
export function seedOr(usual: number): number {
  return Number(process.env.SEED ?? usual);
}

/** So many of a list, drawn by the seed, in the order of the list; all of them in `test:long`. */
export function someOf<T>(all: readonly T[], count: number, seed = seedOr(1)): readonly T[] {
  if (isWhole) return all;
  const random = randomFrom(seed);
  const places = all.map((_, place) => place);
  const drawn = new Set<number>();
  while (drawn.size < Math.min(count, all.length))
    drawn.add(places.splice(Math.floor(random(places.length)), 1)[0] ?? 0);
  return all.filter((_, place) => drawn.has(place));
}
