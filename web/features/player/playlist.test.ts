import { describe, expect, it } from 'vitest';
import type { FeedReel } from '../feed/feed.ts';
import { eachOnce, keptState, playlistOf, slidesAround, wrapped } from './playlist.ts';

const reels = (...ids: string[]) => ids.map((_id) => ({ _id }) as FeedReel);
const around = (...args: Parameters<typeof slidesAround>) =>
  slidesAround(...args).map(({ reel, offset }) => `${reel._id}${offset}`);

describe('the playlist', () => {
  it('wraps around at both ends', () => {
    expect(wrapped(3, 3)).toBe(0);
    expect(wrapped(-1, 3)).toBe(2);
  });

  it('contains the neighbours of the current video, each video once', () => {
    expect(around(reels('a', 'b', 'c', 'd'), { index: 0, lastMove: 1 })).toEqual(['d-1', 'a0', 'b1']);
    expect(around(reels('a', 'b'), { index: 1, lastMove: 1 })).toEqual(['b0', 'a-1']);
    expect(around(reels('a', 'b'), { index: 1, lastMove: -1 })).toEqual(['b0', 'a1']);
    expect(around(reels('a'), { index: 0, lastMove: 1 })).toEqual(['a0']);
    expect(around([], { index: 0, lastMove: 1 })).toEqual([]);
  });

  it('has no video below the last one while more pages follow', () => {
    const last = { lastMove: 1, goesOn: true } as const;
    expect(around(reels('a', 'b', 'c'), { ...last, index: 2 })).toEqual(['b-1', 'c0']);
    expect(around(reels('a', 'b', 'c'), { ...last, index: 1 })).toEqual(['a-1', 'b0', 'c1']);
    expect(around(reels('a', 'b'), { ...last, index: 1, lastMove: -1 })).toEqual(['b0', 'a-1']);
  });

  it('shows a duplicate only at its first position', () => {
    expect(eachOnce(reels('c', 'a', 'b', 'c')).map(({ _id }) => _id)).toEqual(['c', 'a', 'b']);
  });

  it('drops videos far behind from the history state, and keeps the current one', () => {
    const videos = reels(...Array.from({ length: 300 }, (_, place) => `${place}`));
    const kept = keptState({ videos, startIndex: 250 });
    expect(kept.videos).toHaveLength(150);
    expect(kept.videos[kept.startIndex]?._id).toBe('250');
    expect(keptState({ videos, startIndex: 20 })).toEqual({ videos, startIndex: 20 });
  });

  it('plays the list of the navigation state, or the reel of the URL when the state is missing or invalid', () => {
    const handed = { videos: reels('a', 'b'), startIndex: 1, rest: { of: 'zoya', cursor: 'c' } };
    const address = { videos: reels('x'), rest: { cursor: 'y' } };
    expect(playlistOf(address, handed)).toEqual({ ...handed, direct: false });
    for (const state of [null, {}, { videos: [], startIndex: 0 }, { videos: reels('a'), startIndex: 7 }]) {
      expect(playlistOf(address, state)).toEqual({ ...address, startIndex: 0, direct: true });
    }
  });
});
