import { describe, expect, it } from 'vitest';
import { coinsOf, paiseOf } from './earning-rules.ts';

const none = { reels: 0, posts: 0, stories: 0, views: 0, likes: 0 };

describe('content coins of a month (specification §9, decisions §4)', () => {
  it.each([
    [none, 0],
    [{ ...none, reels: 1 }, 5],
    [{ ...none, posts: 1 }, 2],
    [{ ...none, stories: 1 }, 1],
    [{ ...none, views: 9 }, 0],
    [{ ...none, views: 10 }, 1],
    [{ ...none, likes: 9 }, 0],
    [{ ...none, likes: 10 }, 1],
    [{ ...none, views: 9, likes: 9 }, 0],
    [{ reels: 2, posts: 3, stories: 4, views: 4321, likes: 57 }, 10 + 6 + 4 + 432 + 5],
  ])('%j are %i coins', (counts, coins) => {
    expect(coinsOf(counts)).toBe(coins);
  });
});

describe('paise, rounded down once', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 1],
    [499, 99],
    [500, 100],
    [501, 100],
    [505, 101],
    [1_000_000_007, 200_000_001],
  ])('%i coins are %i paise', (coins, paise) => {
    expect(paiseOf(coins)).toBe(paise);
  });
});
