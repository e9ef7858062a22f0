import { describe, expect, it } from 'vitest';
import type { FeedReel } from '../feed/feed.ts';
import { playlistOf, slidesAround, wrapped } from './playlist.ts';

const reels = (...ids: string[]) => ids.map((_id) => ({ _id }) as FeedReel);
const around = (...args: Parameters<typeof slidesAround>) =>
  slidesAround(...args).map(({ reel, offset }) => `${reel._id}${offset}`);

describe('the playlist', () => {
  it('wraps around at both ends', () => {
    expect(wrapped(3, 3)).toBe(0);
    expect(wrapped(-1, 3)).toBe(2);
  });

  it('keeps the neighbours at hand, each video once', () => {
    expect(around(reels('a', 'b', 'c', 'd'), 0, 1)).toEqual(['d-1', 'a0', 'b1']);
    expect(around(reels('a', 'b'), 1, 1)).toEqual(['b0', 'a-1']);
    expect(around(reels('a', 'b'), 1, -1)).toEqual(['b0', 'a1']);
    expect(around(reels('a'), 0, 1)).toEqual(['a0']);
    expect(around([], 0, 1)).toEqual([]);
  });

  it('plays what navigation handed over, and the address where that is missing or makes no sense', () => {
    const handed = { videos: reels('a', 'b'), startIndex: 1 };
    expect(playlistOf(reels('x'), handed)).toEqual({ ...handed, direct: false });
    for (const state of [null, {}, { videos: [], startIndex: 0 }, { videos: reels('a'), startIndex: 7 }]) {
      expect(playlistOf(reels('x'), state)).toEqual({ videos: reels('x'), startIndex: 0, direct: true });
    }
  });
});
