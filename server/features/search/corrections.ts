import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { searchWords } from '../search-index/search-key.ts';
import type { Asked } from './asked.ts';
import { listAlike, listPublicWords } from './search.queries.ts';
import { distance } from './spelling.ts';

export interface Correction {
  key: string;
  /** As it was first written. */
  word: string;
}
export type Corrections = ReadonlyMap<string, Correction[]>;

const perWord = 5;

/** For each word of a search the words that exist and may be meant, nearest first. */
export async function correctionsOf(trx: Kysely<Tables>, { words }: Asked): Promise<Corrections> {
  const searched = words.filter((word) => /^[a-z]{3,}$/.test(word));
  const alike = searched.length > 0 ? await listAlike(trx, searched) : [];
  return new Map(
    searched.map((word) => [
      word,
      alike
        .filter(({ asked, key }) => asked === word && key !== word)
        .flatMap((one) => {
          const far = distance(word, one.key);
          return far === undefined ? [] : [{ ...one, far }];
        })
        .toSorted((one, other) => one.far - other.far)
        .slice(0, perWord),
    ]),
  );
}

/**
 * The search with its unknown words corrected by words of public works and names, and its other words as they were typed; null if a word
 * cannot be corrected.
 */
export async function suggest(
  trx: Kysely<Tables>,
  { q, words }: Asked,
  corrections: Corrections,
  viewerId: string | undefined,
): Promise<string | null> {
  const alike = [...corrections.values()].flat().map(({ key }) => key);
  const known = new Set(await listPublicWords(trx, viewerId, [...new Set([...words, ...alike])]));
  const meant = new Map<string, string>();
  for (const key of words) {
    if (known.has(key)) continue;
    const correction = corrections.get(key)?.find((one) => known.has(one.key));
    if (!correction) return null;
    meant.set(key, correction.word);
  }
  if (meant.size === 0) return null;
  return searchWords(q)
    .map(({ key, word }) => meant.get(key) ?? word)
    .join(' ');
}
