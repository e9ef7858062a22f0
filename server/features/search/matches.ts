import type { SearchedKind } from '#contract/search.ts';
import type { Asked } from './asked.ts';

/** A condition on an entry: its words by a tsquery, or a part of its names. */
export type Match = { words: string } | { part: string };

/** How an entry may match, best first; the place in the list is the rank. */
export type Matches = readonly (Match | undefined)[];

/** Those by the words as they were asked. Names are also found by any part of them. */
export function exactMatches(kind: SearchedKind, { words, isShort }: Asked): Matches {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const all = (weight: string, end: string) =>
    ({ words: [...before.map((word) => word + weight), last + end].join(' & ') }) as const;
  const isNamed = kind === 'person' || kind === 'tag';
  const inNames = [all('', ''), all('', ':*')];
  if (isShort) return isNamed ? inNames : [];
  if (isNamed) return [...inNames, { part: words.join(words.length > 1 && kind === 'tag' ? '' : ' ') }];
  return [all(':A', ':A'), all(':A', ':*A'), all('', ':*')];
}

/** Those by corrected words, and by at least half of them. */
export function looseMatches({ words, isShort }: Asked, corrections: ReadonlyMap<string, string[]>): Matches {
  if (isShort) return [];
  const last = words.at(-1);
  const spelt = words.map(
    (word) => `(${[word === last ? `${word}:*` : word, ...(corrections.get(word) ?? [])].join(' | ')})`,
  );
  const half = Math.ceil(spelt.length / 2);
  const groups = subsets(spelt, half).map((group) => `(${group.join(' & ')})`);
  return [{ words: spelt.join(' & ') }, half < spelt.length ? { words: groups.join(' | ') } : undefined];
}

/** All ways to choose so many of these. */
function subsets<T>(all: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return all.flatMap((first, place) =>
    subsets(all.slice(place + 1), size - 1).map((rest) => [first, ...rest]),
  );
}
