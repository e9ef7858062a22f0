import { describe, expect, it } from 'vitest';
import { byEase } from './ease.ts';
import { bestOf, byPopularity, ndcg, withoutLast } from './ratings.ts';
import { gini } from './town.ts';

const watching = {
  sequences: [
    [0, 1, 2],
    [0, 1, 3],
    [0, 3, 1],
  ],
  works: 4,
};

describe('the figures of For you', () => {
  it('leave the last works of each person out', () => {
    expect(withoutLast(watching, 1)).toMatchObject({
      known: [
        [0, 1],
        [0, 1],
        [0, 3],
      ],
      next: [2, 3, 1],
    });
    expect(withoutLast(watching, 2)).toMatchObject({ known: [[0], [0], [0]], next: [1, 1, 3] });
  });

  it('are 1 for a first place, less for later ones, and 0 beyond the tenth', () => {
    const split = { known: [[], []], next: [7, 7], works: 20 };
    const tenOthers = [0, 1, 2, 3, 4, 5, 6, 8, 9, 10];
    expect(ndcg(split, [[7], [7]])).toBe(1);
    expect(
      ndcg(split, [
        [0, 7],
        [0, 7],
      ]),
    ).toBeCloseTo(1 / Math.log2(3));
    expect(ndcg(split, [[7], [...tenOthers, 7]])).toBe(0.5);
  });

  it('rank what was not watched, by popularity', () => {
    expect(byPopularity(withoutLast(watching, 1))).toEqual([
      [3, 2],
      [3, 2],
      [1, 2],
    ]);
    expect(bestOf([3, 1, 2], [0])).toEqual([2, 1]);
  });

  it('EASE ranks first what the same people watched', () => {
    const known = [
      ...Array.from({ length: 400 }, () => [0, 1]),
      ...Array.from({ length: 400 }, () => [2, 3]),
      [0],
    ];
    expect(byEase({ known, next: [], works: 4 }).at(-1)?.[0]).toBe(1);
  });

  it('say how unequal exposure is', () => {
    expect(gini([5, 5, 5, 5])).toBeCloseTo(0);
    expect(gini([0, 0, 0, 8])).toBeCloseTo(0.75);
  });
});
