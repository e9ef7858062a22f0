import { randomInt } from 'node:crypto';

/** Room for four digits at the end, in the 30 characters of a username. */
const longest = 26;

/**
 * Usernames made from a name, to be tried one after another until one is free. Never from an e-mail address: a username is
 * public.
 */
export function* usernamesFrom(name: string): Generator<string> {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .join('.');
  const base = cut(words, longest).replace(/\.$/, '') || 'someone';
  if (words) yield base;
  for (let tries = 0; tries < 20; tries += 1) yield `${base}${randomInt(1000, 10_000)}`;
}

/** At most so many UTF-16 units, and no character in half. */
export function cut(text: string, units: number): string {
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (kept.length + segment.length > units) break;
    kept += segment;
  }
  return kept;
}
