import { describe, expect, it } from 'vitest';
import type { FeedReel } from '../feed/feed.ts';
import { slidesAround, slidesInMotion } from './preloaded-slides.ts';

const reels = (...ids: string[]) => ids.map((_id) => ({ _id }) as FeedReel);
const around = (...args: Parameters<typeof slidesAround>) =>
  slidesAround(...args).map(({ reel, offset }) => `${reel._id}${offset}`);

describe('the player', () => {
  it('has the neighbours of the current video, each video once', () => {
    expect(around(reels('a', 'b', 'c', 'd'), { index: 0, lastMove: 1 })).toEqual(['d-1', 'a0', 'b1']);
    expect(around(reels('a', 'b'), { index: 1, lastMove: 1 })).toEqual(['b0', 'a-1']);
    expect(around(reels('a', 'b'), { index: 1, lastMove: -1 })).toEqual(['b0', 'a1']);
    expect(around(reels('a'), { index: 0, lastMove: 1 })).toEqual(['a0']);
    expect(around([], { index: 0, lastMove: 1 })).toEqual([]);
  });

  it('moves what is there first, and has the next neighbour after that', () => {
    const videos = reels('a', 'b', 'c', 'd', 'e', 'f');
    const at = (index: number) => slidesAround(videos, { index, lastMove: 1 });
    const inMotion = (index: number, from: number) =>
      slidesInMotion(at(index), at(from)).map(({ reel, offset }) => `${reel._id}${offset}`);
    expect(inMotion(2, 1)).toEqual(['b-1', 'c0']);
    expect(inMotion(1, 2)).toEqual(['b0', 'c1']);
    expect(inMotion(4, 1)).toEqual(['e0']);
    expect(inMotion(2, 2)).toEqual(['b-1', 'c0', 'd1']);
  });

  it('has no video below the last one while more pages follow', () => {
    const last = { lastMove: 1, goesOn: true } as const;
    expect(around(reels('a', 'b', 'c'), { ...last, index: 2 })).toEqual(['b-1', 'c0']);
    expect(around(reels('a', 'b', 'c'), { ...last, index: 1 })).toEqual(['a-1', 'b0', 'c1']);
    expect(around(reels('a', 'b'), { ...last, index: 1, lastMove: -1 })).toEqual(['b0', 'a-1']);
  });
});
