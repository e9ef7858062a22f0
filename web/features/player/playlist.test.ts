import { describe, expect, it, vi } from 'vitest';
import type { FeedReel } from '../feed/feed.ts';
import { endsNew, newFirst, nextPagesOf, shownOf } from './new-first.ts';
import { eachOnce, keptState, playlistOf, slidesAround, wrapped } from './playlist.ts';
import { rememberSeen, seenReels } from './seen-reels.ts';

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

describe('the feed without a reel in the address', () => {
  const seen = new Set(['a', 'c']);
  const idsOf = (source: { videos: { _id: string }[] }) => source.videos.map(({ _id }) => _id);

  it('leaves out what this device has seen, on every page', () => {
    const first = newFirst({ videos: reels('a', 'b', 'c', 'd'), rest: { cursor: 'x' } }, seen);
    expect(idsOf(first)).toEqual(['b', 'd']);
    expect(first.rest).toEqual({ cursor: 'x', only: 'new' });
    expect(nextPagesOf('y', { cursor: 'x', only: 'new' })).toEqual({ cursor: 'y', only: 'new' });
    expect(shownOf(reels('c', 'e'), 'new', seen)).toEqual(reels('e'));
  });

  it('continues after the last new one with those that were seen, from the newest on', () => {
    const again = { cursor: null, only: 'seen' };
    expect(newFirst({ videos: reels('a') }, seen)).toEqual({ videos: [], rest: again });
    expect(nextPagesOf(null, { cursor: 'x', only: 'new' })).toEqual(again);
    expect(nextPagesOf('y', { cursor: null, only: 'seen' })).toEqual({ cursor: 'y', only: 'seen' });
    expect(nextPagesOf(null, { cursor: 'y', only: 'seen' })).toBeUndefined();
  });

  it('ends its new ones before the first that is shown again, also if there are no new ones', () => {
    const older = shownOf(reels('a', 'b', 'c'), 'seen', seen);
    const list = eachOnce([...reels('b'), ...older]);
    expect(idsOf({ videos: list })).toEqual(['b', 'a', 'c']);
    expect(list.map((_, index) => endsNew(list, index))).toEqual([false, true, false]);
    expect(endsNew(older, 0)).toBe(true);
    expect(reels('a', 'b').some((_, index, all) => endsNew(all, index))).toBe(false);
  });
});

describe('the reels that a device has seen', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  });

  it('are the last 400', () => {
    for (let nth = 0; nth < 450; nth += 1) rememberSeen(`reel ${nth}`);
    rememberSeen('reel 60');
    expect(seenReels().size).toBe(400);
    expect([...seenReels()].slice(0, 2)).toEqual(['reel 60', 'reel 449']);
    expect(seenReels().has('reel 49')).toBe(false);
  });

  it.each(['{', '{"a":1}', '[1,null]'])('are none if the browser holds %s', (value) => {
    stored.set('reels.seen', value);
    expect(seenReels().size).toBe(0);
  });
});
