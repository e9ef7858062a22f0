import { randomInt } from 'node:crypto';
import { isOneScript, withoutNeedlessMarks } from '../people/names.ts';

/** Leaves space for four digits in the 30 characters of a username. */
const longest = 26;

/**
 * Yields usernames made from a name, to be tried until one is free. They are never made from an e-mail address,
 * because usernames are public.
 */
export function* usernamesFrom(name: string): Generator<string> {
  const words = withoutNeedlessMarks(
    name.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''),
  )
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    // A username has one script: that of the first word.
    .reduce((kept, word) => (isOneScript(kept + word) ? `${kept}${kept && '.'}${word}` : kept), '');
  const base = cut(words, longest).replace(/\.$/, '') || 'someone';
  if (words) yield base;
  for (let tries = 0; tries < 20; tries += 1) yield `${base}${randomInt(1000, 10_000)}`;
}

/** Cuts text to at most this many UTF-16 units, without splitting a character. */
export function cut(text: string, units: number): string {
  let result = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (result.length + segment.length > units) break;
    result += segment;
  }
  return result;
}
