/**
 * How many entries of a kind, in the order of results, are up to the end of each tier; all others are in one more. A tier is searched only if
 * those before have not filled the page. So what a search reads of each is bounded: a word that fewer than 24 of the first 1,000 have is one
 * of some 200 of the next 9,000. The tiers are columns of `search_entries`: `is_first`, `is_top` with the tier before, `is_upper` with both.
 */
export const tierEnds = [1000, 10_000, 100_000] as const;
