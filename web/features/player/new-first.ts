import type { FeedReel } from '../feed/feed.ts';
import { type NextPages, nextPagesAfter, type PlayedReel, type Source } from './playlist.ts';

/** The same after a page of a list of which `pages` is known. */
export function nextPagesOf(nextCursor: string | null, { of, only }: NextPages): NextPages | undefined {
  const next = nextPagesAfter(nextCursor, of);
  if (only === 'new' && !next) return { cursor: null, only: 'seen' };
  return next && only ? { ...next, only } : next;
}

/** What the player shows of a page. In the second pass of a list, those that the first pass has shown are left out by `eachOnce`. */
export function shownOf(reels: FeedReel[], only: NextPages['only'], seen: ReadonlySet<string>): PlayedReel[] {
  if (only === 'new') return reels.filter(({ _id }) => !seen.has(_id));
  return only === 'seen' ? reels.map((reel) => ({ ...reel, again: true })) : reels;
}

/** The feed for whoever opens the player without a reel: new ones first, and then those that this device has seen. */
export function newFirst({ videos, rest }: Source, seen: ReadonlySet<string>): Source {
  return {
    videos: shownOf(videos, 'new', seen),
    rest: nextPagesOf(rest?.cursor ?? null, { cursor: null, only: 'new' }),
  };
}

/** Whether the reel is the first after the last new one. */
export const endsNew = (videos: PlayedReel[], index: number): boolean =>
  videos[index]?.again === true && !videos[index - 1]?.again;
