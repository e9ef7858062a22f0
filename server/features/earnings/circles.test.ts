import { describe, expect, it } from 'vitest';
import { circlesOf } from './circles.ts';

/** An account, by its number, and the creator that it watched. */
type Pair = readonly [viewer: number, creator: number];

const numbers = (from: number, many: number) => Array.from({ length: many }, (_, place) => from + place);
const whoWatch = (viewers: readonly number[], creators: readonly number[]): Pair[] =>
  viewers.flatMap((viewer) => creators.filter((one) => one !== viewer).map((one) => [viewer, one] as const));

/** The sizes of the circles among accounts that watched these creators. */
function sizesOf(pairs: readonly Pair[]): number[] {
  const creators = [...new Set(pairs.map(([, creator]) => creator))].map((place) => {
    const viewers = pairs.filter(([, creator]) => creator === place).map(([viewer]) => viewer);
    const by = viewers.filter((viewer) => pairs.some(([, creator]) => creator === viewer));
    const watched = pairs.filter(([viewer]) => viewer === place).length;
    return { creatorId: `${place}`, place, accounts: viewers.length, by, watched };
  });
  const accounts = new Set(pairs.map(([viewer]) => viewer)).size;
  return circlesOf(creators, { accounts, pairs: pairs.length }).map(({ length }) => length);
}

/** So many creators who watch one another, and accounts that watch five other creators. */
function site(members: number, others: number): Pair[] {
  const ring = numbers(0, members);
  return [...whoWatch(ring, ring), ...whoWatch(numbers(200, others), numbers(100, 5))];
}

describe('a circle', () => {
  it.each([
    [20, 1],
    [20, 6],
    [32, 9],
  ])('of %i members is one where the site has %i other accounts', (members, others) => {
    expect(sizesOf(site(members, others))).toEqual([members]);
  });

  it.each([10, 15, 19])('of %i members is one only where the site has ten other accounts', (members) => {
    expect(sizesOf(site(members, 9))).toEqual([]);
    expect(sizesOf(site(members, 10))).toEqual([members]);
  });

  it('of 20 members is one although they watch the other creators, too, and people watch some members', () => {
    const [ring, honest, people] = [numbers(0, 20), numbers(100, 5), numbers(200, 6)];
    const hidden = whoWatch(ring, honest.slice(0, 2));
    const fans = whoWatch(people.slice(0, 2), ring.slice(0, 3));
    const pairs = [...whoWatch(ring, ring), ...whoWatch(people, honest), ...hidden, ...fans];
    expect(sizesOf(pairs)).toEqual([20]);
  });

  it('is none where 25 creators are alone on a site, or one person watches nobody but them', () => {
    const first = numbers(0, 25);
    expect(sizesOf(whoWatch(first, first))).toEqual([]);
    expect(sizesOf([...whoWatch(first, first), ...whoWatch([200], first)])).toEqual([]);
  });

  it('is none where 25 creators open a site and people watch them as the creators watch one another', () => {
    const first = numbers(0, 25);
    const people = numbers(200, 6);
    expect(sizesOf([...whoWatch(first, first), ...whoWatch(people, first.slice(0, 12))])).toEqual([]);
  });
});
