import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tasteLimits } from '#contract/taste.ts';
import { randomOf } from '#demo/random.ts';
import { type Avoided, type Candidate, compose } from './compose.ts';

const nothing: Avoided = { creators: new Set(), categories: new Set() };
const categories = ['cricket', 'dance', 'food', 'music', 'art', 'news'];
const why = { code: 'newest' } as const;

const candidates = (prefix: string) =>
  fc
    .array(
      fc.record({
        creatorId: fc.integer({ min: 0, max: 12 }).map(String),
        categories: fc.subarray(categories, { maxLength: 3 }),
        score: fc.double({ min: 0, max: 2, noNaN: true }),
      }),
      { maxLength: 300 },
    )
    .map((all) => all.map((one, place): Candidate => ({ ...one, id: `${prefix}${place}`, why })));

const usual = (seed: number) => ({ fairShare: 0.15, hasTurns: true, jitter: 0.2, random: randomOf(seed) });
const isOf = (category: string) => (one: Candidate) => one.categories.includes(category);

/** Many lists of the same rule. */
function everyList(check: (list: Candidate[]) => void) {
  fc.assert(
    fc.property(candidates('r'), candidates('f'), fc.nat(), (ranked, fair, seed) =>
      check(compose(ranked, fair, nothing, usual(seed))),
    ),
    { seed: 38, numRuns: 300 },
  );
}

describe('a ranked list', () => {
  it('has each reel once, and at most as many as the contract says', () => {
    everyList((list) => {
      expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
      expect(list.length).toBeLessThanOrEqual(tasteLimits.ranked);
    });
  });

  it('never has two reels of a creator in a row', () => {
    everyList((list) => {
      for (const [place, { creatorId }] of list.entries())
        expect(list[place + 1]?.creatorId).not.toBe(creatorId);
    });
  });

  it('counts each further reel of a creator half, so that who publishes most does not have most of the list', () => {
    const of = (creatorId: string, score: number) =>
      Array.from({ length: 60 }, (_, nth): Candidate => {
        return { id: `${creatorId}${nth}`, creatorId, categories: [], score, why };
      });
    const few = Array.from({ length: 10 }, (_, nth) => of(`few${nth}`, 0.4)).flat();
    const composition = { ...usual(1), fairShare: 0, jitter: 0 };
    const list = compose([...of('many', 1), ...few], [], nothing, composition);
    const creators = list.slice(0, 12).map(({ creatorId }) => creatorId);
    expect(creators.filter((creator) => creator === 'many')).toHaveLength(2);
    expect(new Set(creators).size).toBe(11);
  });

  it('has at most 40 % of a category: in all, in every beginning of it, and in any five in a row', () => {
    everyList((list) => {
      for (const category of categories)
        for (let end = 1; end <= list.length; end += 1) {
          expect(list.slice(0, end).filter(isOf(category)).length).toBeLessThanOrEqual(Math.ceil(end * 0.4));
          expect(list.slice(Math.max(0, end - 5), end).filter(isOf(category)).length).toBeLessThanOrEqual(2);
        }
    });
  });

  it('has 15 % of works that few have seen, spread evenly', () => {
    const works = (prefix: string) =>
      Array.from({ length: 200 }, (_, place): Candidate => {
        return { id: `${prefix}${place}`, creatorId: `${place % 50}`, categories: [], score: 1, why };
      });
    const list = compose(works('r'), works('f'), nothing, usual(1));
    const places = list.flatMap(({ id }, place) => (id.startsWith('f') ? [place] : []));
    expect(places).toHaveLength(18);
    expect(new Set(places.slice(1).map((place, before) => place - (places[before] ?? 0)))).toEqual(
      new Set([6, 7]),
    );
  });

  it('never has more than the fair share of such works, however many there are', () => {
    everyList((list) => {
      for (let end = 1; end <= list.length; end += 1)
        expect(list.slice(0, end).filter(({ id }) => id.startsWith('f')).length).toBeLessThanOrEqual(
          Math.floor(end * 0.15 + 0.5),
        );
    });
  });

  it('has a tenth of a category, and one reel of a creator, in which somebody is not interested', () => {
    fc.assert(
      fc.property(candidates('r'), candidates('f'), fc.nat(), (ranked, fair, seed) => {
        const avoided = { creators: new Set(['1', '2']), categories: new Set(['food']) };
        const list = compose(ranked, fair, avoided, usual(seed));
        for (let end = 1; end <= list.length; end += 1)
          expect(list.slice(0, end).filter(isOf('food')).length / end).toBeLessThanOrEqual(0.1);
        for (const creator of avoided.creators)
          expect(list.filter(({ creatorId }) => creatorId === creator).length).toBeLessThanOrEqual(1);
      }),
      { seed: 38, numRuns: 300 },
    );
  });

  it('is by score alone without turns', () => {
    const one = { creatorId: 'same', categories: ['food'], why };
    const list = compose(
      [1, 3, 2].map((score) => ({ ...one, id: `${score}`, score })),
      [],
      nothing,
      { fairShare: 0, hasTurns: false, jitter: 0, random: () => 0.5 },
    );
    expect(list.map(({ id }) => id)).toEqual(['3', '2', '1']);
  });
});
