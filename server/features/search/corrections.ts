import type { Kysely } from 'kysely';
import { searchedKinds } from '#contract/search.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Asked } from './asked.ts';
import { exactMatches } from './matches.ts';
import { listAlike, listMatches } from './search.queries.ts';
import { distance, tolerance } from './spelling.ts';

export interface Correction {
  key: string;
  /** As it was first written. */
  word: string;
}
type Corrections = ReadonlyMap<string, Correction[]>;

const perWord = 5;

/** For each word of a search the words that exist and may be meant, nearest first. */
export async function correctionsOf(db: Kysely<Tables>, { words }: Asked): Promise<Corrections> {
  const searched = words.filter((word) => /^[a-z]{3,}$/.test(word));
  const alike = searched.length > 0 ? await listAlike(db, searched) : [];
  return new Map(
    searched.map((word) => [
      word,
      alike
        .filter(({ asked, key }) => asked === word && key !== word)
        .map((one) => ({ ...one, far: distance(word, one.key) }))
        .filter(({ far }) => far <= tolerance(word))
        .toSorted((one, other) => one.far - other.far)
        .slice(0, perWord),
    ]),
  );
}

/** The search with its unknown words corrected by words of public works and names; null if there are none. */
export async function suggest(
  db: Kysely<Tables>,
  { words }: Asked,
  corrections: Corrections,
  viewerId: string | undefined,
): Promise<string | null> {
  const corrected: string[] = [];
  for (const word of words) {
    if (await isPublic(db, word, viewerId)) corrected.push(word);
    else {
      const meant = await firstPublic(db, corrections.get(word) ?? [], viewerId);
      if (!meant) return null;
      corrected.push(meant.word);
    }
  }
  return corrected.join(' ') || null;
}

async function firstPublic(db: Kysely<Tables>, alike: readonly Correction[], viewerId: string | undefined) {
  for (const one of alike) if (await isPublic(db, one.key, viewerId)) return one;
  return undefined;
}

/** Whether anything public has this word. */
async function isPublic(db: Kysely<Tables>, word: string, viewerId: string | undefined): Promise<boolean> {
  for (const kind of searchedKinds) {
    const [whole] = exactMatches(kind, { words: [word], isShort: false });
    const matches = [whole];
    if ((await listMatches(db, { kind, viewerId, matches, after: undefined }, 1)).length > 0) return true;
  }
  return false;
}
