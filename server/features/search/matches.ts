import type { SearchedKind } from '#contract/search.ts';
import type { Asked } from './asked.ts';

/** A condition on an entry: its words by a tsquery, or a part of its names. */
export type Match = { words: string } | { part: string };

/** How an entry may match, best first; the place in the list is the rank. */
export type Matches = readonly (Match | undefined)[];

/** Whether the last word may be the beginning of one. After other words it needs three letters: with fewer, a wide range is read. */
const isOpen = (words: readonly string[]) => words.length === 1 || (words.at(-1)?.length ?? 0) > 2;

/** Those by the words as they were asked. Names are also found by any part of them. */
export function exactMatches(kind: SearchedKind, { words, isShort }: Asked): Matches {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const all = (weight: string, end: string) =>
    ({ words: [...before.map((word) => word + weight), last + end].join(' & ') }) as const;
  const isNamed = kind === 'person' || kind === 'tag';
  const inNames = [all('', ''), isOpen(words) ? all('', ':*') : undefined];
  if (isShort) return isNamed ? inNames : [];
  if (isNamed) return [...inNames, { part: words.join(words.length > 1 && kind === 'tag' ? '' : ' ') }];
  return isOpen(words)
    ? [all(':A', ':A'), all(':A', ':*A'), all('', ':*')]
    : [all(':A', ':A'), undefined, all('', '')];
}

/** Those by corrected words, and by at least half of them. */
export function looseMatches({ words, isShort }: Asked, corrections: ReadonlyMap<string, string[]>): Matches {
  if (isShort) return [];
  const spelt = words.map((word, place) => {
    const asked = place === words.length - 1 && isOpen(words) ? `${word}:*` : word;
    return `(${[asked, ...(corrections.get(word) ?? [])].join(' | ')})`;
  });
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
