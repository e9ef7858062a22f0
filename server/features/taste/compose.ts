import { type RankReason, tasteLimits } from '#contract/taste.ts';

/** A reel that may be ranked, with the reason that speaks most for it. */
export interface Candidate {
  id: string;
  creatorId: string;
  categories: readonly string[];
  /** The higher, the earlier. */
  score: number;
  why: RankReason;
}

export interface Composition {
  /** The share of places for works that few have seen yet. */
  fairShare: number;
  /** Whether creators and categories take turns. Only the measurement of the order itself does without. */
  hasTurns: boolean;
  /** By how much scores differ from one list to the next, so that a list that is asked for again is another one. */
  jitter: number;
  /** Numbers from 0 to 1. */
  random: () => number;
}

/** Creators and categories of reels in which somebody is not interested. */
export interface Avoided {
  creators: ReadonlySet<string>;
  categories: ReadonlySet<string>;
}

/** Of a category, in the whole list and in every beginning of it (rounded up); and of those in which somebody is not interested. */
const categoryShare = { usual: 0.4, avoided: 0.1 };
/** Of each five in a row so many may be of one category. */
const inFive = 2;
/** What each reel of a creator that is in the list already leaves of the score of the next one: who publishes most would have most of it. */
const again = 0.5;

/**
 * Puts candidates in order: by score, with the fair share spread evenly, never two of a creator in a row, at most 40 % of a category, and of
 * what somebody is not interested in a tenth and one of each creator. Ends where nothing fits any more.
 */
export function compose(
  ranked: readonly Candidate[],
  fair: readonly Candidate[],
  avoided: Avoided,
  { fairShare, hasTurns, jitter, random }: Composition,
): Candidate[] {
  const inOrder = (all: readonly Candidate[]) =>
    all
      .map((one) => ({ ...one, score: one.score * (1 + jitter * (2 * random() - 1)) }))
      .sort((a, b) => b.score - a.score);
  const usual = inOrder(ranked);
  const few = inOrder(fair);
  const list: Candidate[] = [];
  const placed = new Set<string>();
  const counts = new Map<string, number>();
  let fromFew = 0;

  const mayBeNext = (one: Candidate) => !placed.has(one.id) && (!hasTurns || fits(one));
  /** The best one that may be next, where each further reel of a creator counts half. */
  function best(): Candidate | undefined {
    let found: { one: Candidate; score: number } | undefined;
    for (const one of usual) {
      // They are in order, so what follows is not better.
      if (found && one.score <= found.score) break;
      const score = hasTurns ? one.score * again ** (counts.get(one.creatorId) ?? 0) : one.score;
      if ((!found || score > found.score) && mayBeNext(one)) found = { one, score };
    }
    return found?.one;
  }

  while (list.length < tasteLimits.ranked) {
    const isTurnOfFew = Math.floor((list.length + 1) * fairShare + 0.5) > fromFew;
    const ofFew = isTurnOfFew ? few.find(mayBeNext) : undefined;
    const next = ofFew ?? best();
    if (!next) break;
    if (ofFew) fromFew += 1;
    list.push(next);
    placed.add(next.id);
    for (const one of keysOf(next)) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return list;

  function fits(one: Candidate): boolean {
    const length = list.length + 1;
    if (list.at(-1)?.creatorId === one.creatorId) return false;
    if (avoided.creators.has(one.creatorId) && counts.has(one.creatorId)) return false;
    const lastFour = list.slice(-4);
    return one.categories.every((category) => {
      const most = avoided.categories.has(category)
        ? Math.floor(length * categoryShare.avoided)
        : Math.ceil(length * categoryShare.usual);
      return (
        (counts.get(category) ?? 0) < most &&
        lastFour.filter(({ categories }) => categories.includes(category)).length < inFive
      );
    });
  }
}

/** By what a list counts: ids of creators and of categories are never equal. */
const keysOf = ({ creatorId, categories }: Candidate) => [creatorId, ...categories];
