import { describe, expect, it } from 'vitest';
import { coinsOf, paiseOf, type RateVersions, ratesOf } from './rates.ts';

const rates = ratesOf('2026-11');
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
    expect(coinsOf(counts, rates)).toBe(coins);
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
    expect(paiseOf(coins, rates)).toBe(paise);
  });
});

describe('a new version of the rates', () => {
  const versions: RateVersions = [rates, { ...rates, from: '2027-03', coinsPerReel: 7, coinsPerRupee: 400 }];
  const reels = { ...none, reels: 100 };

  it.each([
    ['0001-01', 500, 100],
    ['2027-02', 500, 100],
    ['2027-03', 700, 175],
    ['2027-04', 700, 175],
    ['9999-12', 700, 175],
  ])('100 reels of %s are %i coins and %i paise', (month, coins, paise) => {
    const ofMonth = ratesOf(month, versions);
    expect(coinsOf(reels, ofMonth)).toBe(coins);
    expect(paiseOf(coins, ofMonth)).toBe(paise);
  });
});
