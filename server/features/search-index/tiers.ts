import { sql } from 'kysely';

/**
 * How many entries of a kind, in the order of results, are up to the end of each tier; all others are in one more. A tier is searched only if
 * those before have not filled the page. So what a search reads of each is bounded: a word that fewer than 24 of the first 1,000 have is one
 * of some hundred of the next 29,000.
 */
export const tierEnds = [1000, 30_000] as const;

/** The tiers as conditions on `search_entries`, for each of which each kind has an index by words. */
export const searchTiers = [
  sql<boolean>`is_first`,
  sql<boolean>`is_top and not is_first`,
  sql<boolean>`not is_top`,
] as const;
