import type { SearchedKind } from '#contract/search.ts';
import type { Asked } from './asked.ts';

/** A condition on an entry: a part of its names, or its words by a tsquery. `first`: those of them that come first, by a narrower one. */
export type Match = { part: string } | { words: string; first?: string };

/** How an entry may match, best first. */
export type Matches = readonly Match[];

/** Whether the last word may be the beginning of one. After other words it needs three letters: with fewer, a wide range is read. */
const isOpen = (words: readonly string[]) => words.length === 1 || (words.at(-1)?.length ?? 0) > 2;

/** The last one of several words, if it is searched as a prefix and stored words can have it. */
export function lastPrefix({ words }: Asked): string | undefined {
  const last = words.at(-1) ?? '';
  return words.length > 1 && isOpen(words) && /^[a-z]+$/.test(last) ? last : undefined;
}

/**
 * The matches of the words as the user typed them; in names, also of any part of a name. `completions`: all indexed words that begin with the last
 * one. They are searched instead of a prefix: for a prefix PostgreSQL reads all entries that match it, for whole words only those that match the
 * other words too.
 */
export function exactMatches(
  kind: SearchedKind,
  { words, isShort }: Asked,
  completions?: readonly string[],
): Matches {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const all = (weight: string, end: string) =>
    [...before.map((word) => word + weight), last + end].join(' & ');
  const open = isOpen(words);
  if (kind === 'person' || kind === 'tag') {
    const inNames = [{ words: all('', '') }, ...(open ? [{ words: all('', ':*') }] : [])];
    if (isShort) return inNames;
    return [...inNames, { part: words.join(words.length > 1 && kind === 'tag' ? '' : ' ') }];
  }
  if (isShort) return [];
  const inFirst = { words: all(':A', ':A') };
  if (!open) return [inFirst, { words: all('', '') }];
  // A prefix is searched once and then ordered: it reads all words that begin so, also beside rare words.
  const wide = completions
    ? [...before, `(${[...new Set([last, ...completions])].join(' | ')})`].join(' & ')
    : all('', ':*');
  return [inFirst, { words: wide, first: all(':A', ':*A') }];
}

/**
 * Those by corrected words, if there are any, and by at least half of them. Only a single word may be the beginning of one: beside others that
 * costs most.
 */
export function looseMatches({ words, isShort }: Asked, corrections: ReadonlyMap<string, string[]>): Matches {
  if (isShort) return [];
  const end = words.length === 1 ? ':*' : '';
  const spelt = words.map((word) => `(${[word + end, ...(corrections.get(word) ?? [])].join(' | ')})`);
  const half = Math.ceil(spelt.length / 2);
  const groups = subsets(spelt, half).map((group) => `(${group.join(' & ')})`);
  const isCorrected = words.some((word) => corrections.get(word)?.length);
  return [
    ...(isCorrected ? [{ words: spelt.join(' & ') }] : []),
    ...(half < spelt.length ? [{ words: groups.join(' | ') }] : []),
  ];
}

/** All ways to choose so many of these. */
function subsets<T>(all: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return all.flatMap((first, place) =>
    subsets(all.slice(place + 1), size - 1).map((rest) => [first, ...rest]),
  );
}
