import { foundAtMost } from '#contract/search.ts';
import { Refusal } from '#server/platform/refusal.ts';

/** The cursor after a result of a list: the number of results up to it. Whoever writes one can ask for no more than the list has. */
export const writePosition = (results: number) => String(results);

export function readPosition(cursor: string | undefined): number {
  if (!cursor) return 0;
  const results = /^[1-9]\d{0,2}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (!(results < foundAtMost)) throw new Refusal('bad_cursor', {}, 'cursor');
  return results;
}
