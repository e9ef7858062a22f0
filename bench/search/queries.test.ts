import { describe, expect, it } from 'vitest';
import { categories } from '#contract/categories.ts';
import { markedQueries } from './queries.ts';
import { searchedPeople, searchedPhotos, searchedReels } from './texts.ts';

describe('the marked queries of the search', () => {
  const count = (which: (query: (typeof markedQueries)[number]) => boolean | undefined) =>
    markedQueries.filter(which).length;

  it('are 200 different ones, half of them Hindi or mixed, and 40 misspelt', () => {
    expect(new Set(markedQueries.map(({ q }) => q)).size).toBe(200);
    expect(count(({ isHindiOrMixed }) => isHindiOrMixed)).toBeGreaterThanOrEqual(100);
    expect(count(({ isMisspelt }) => isMisspelt)).toBe(40);
  });

  it('mark only what is there', () => {
    const tags = searchedReels.flatMap(({ words }) => words.match(/#\S+/g) ?? []);
    const there = new Set([
      ...searchedReels.map(({ id }) => `reel:${id}`),
      ...searchedPhotos.map(({ id }) => `post:${id}`),
      ...searchedPeople.map(({ username }) => `person:${username}`),
      ...categories.map(({ id }) => `category:${id}`),
      ...tags.map((tag) => `tag:${tag.slice(1)}`),
    ]);
    expect(markedQueries.flatMap(({ right }) => right).filter((mark) => !there.has(mark))).toEqual([]);
  });
});
