import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { storageKeys } from '#web/storage-keys.ts';
import type { FeedReel } from '../feed/feed.ts';
import { endsNew, newFirst, nextPagesOf, shownOf } from './new-first.ts';
import { eachOnce, keptState, type NextPages, playlistOf, wrapped } from './playlist.ts';
import { rememberSeen, seenReels } from './seen-reels.ts';

const reels = (...ids: string[]) => ids.map((_id) => ({ _id }) as FeedReel);
describe('the playlist', () => {
  it('wraps around at both ends', () => {
    expect(wrapped(3, 3)).toBe(0);
    expect(wrapped(-1, 3)).toBe(2);
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
    const handed = {
      videos: reels('a', 'b'),
      startIndex: 1,
      rest: { list: { of: 'person', userId: 'zoya' }, cursor: 'c' },
    } as const;
    const address = { videos: reels('x'), rest: { list: { of: 'feed' }, cursor: 'y' } } as const;
    expect(playlistOf(address, handed)).toEqual({ ...handed, direct: false });
    for (const state of [null, {}, { videos: [], startIndex: 0 }, { videos: reels('a'), startIndex: 7 }]) {
      expect(playlistOf(address, state)).toEqual({ ...address, startIndex: 0, direct: true });
    }
  });
});

describe('the feed without a reel in the address', () => {
  const seen = new Set(['a', 'c']);
  const idsOf = (source: { videos: { _id: string }[] }) => source.videos.map(({ _id }) => _id);
  const pagesOf = (cursor: string | null | undefined, only?: 'new' | 'seen'): NextPages => ({
    list: only ? { of: 'feed', only } : { of: 'feed' },
    cursor,
  });

  it('leaves out what this device has seen, on every page', () => {
    const first = newFirst({ videos: reels('a', 'b', 'c', 'd'), rest: pagesOf('x') }, seen);
    expect(idsOf(first)).toEqual(['b', 'd']);
    expect(first.rest).toEqual(pagesOf('x', 'new'));
    expect(nextPagesOf('y', pagesOf('x', 'new'))).toEqual(pagesOf('y', 'new'));
    expect(shownOf(reels('c', 'e'), 'new', seen)).toEqual(reels('e'));
  });

  it('continues after the last new one with those that were seen, from the newest on', () => {
    const again = pagesOf(null, 'seen');
    expect(newFirst({ videos: reels('a') }, seen)).toEqual({ videos: [], rest: again });
    expect(nextPagesOf(null, pagesOf('x', 'new'))).toEqual(again);
    expect(nextPagesOf('y', again)).toEqual(pagesOf('y', 'seen'));
    expect(nextPagesOf(null, pagesOf('y', 'seen'))).toEqual(pagesOf(undefined, 'seen'));
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

  it('are the last 2,000', () => {
    const before = Array.from({ length: 2050 }, (_, nth) => [`reel ${2049 - nth}`, Date.now()]);
    stored.set(storageKeys.reelsSeen, JSON.stringify(before));
    rememberSeen('reel 60');
    expect(seenReels().size).toBe(2000);
    expect([...seenReels()].slice(0, 2)).toEqual(['reel 60', 'reel 2049']);
    expect(seenReels().has('reel 49')).toBe(false);
  });

  it('are those of the last 30 days', () => {
    stored.clear();
    vi.useFakeTimers({ now: new Date('2026-11-01') });
    onTestFinished(() => void vi.useRealTimers());
    rememberSeen('in October');
    vi.setSystemTime(new Date('2026-11-20'));
    rememberSeen('later');
    vi.setSystemTime(new Date('2026-12-02'));
    expect([...seenReels()]).toEqual(['later']);
  });

  it.each(['{', '{"a":1}', '[1,null]', '["of an older version"]'])(
    'are none if the browser holds %s',
    (value) => {
      stored.set('reels.seen', value);
      expect(seenReels().size).toBe(0);
    },
  );
});
