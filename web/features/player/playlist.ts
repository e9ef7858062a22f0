import type { FeedReel } from '../feed/feed.ts';

/** What the player receives through navigation state (specification §2): a list and where to start in it. */
export interface PlayerState {
  videos: FeedReel[];
  startIndex: number;
  /** Opened from its own address: Back has no grid to return to. */
  direct?: boolean;
}

/** The list and place to play: as handed over, else as the address says. */
export function playlistOf(fromAddress: FeedReel[], state: unknown): PlayerState {
  const { videos, startIndex, direct = false } = (state ?? {}) as Partial<PlayerState>;
  if (Array.isArray(videos) && typeof startIndex === 'number' && videos[startIndex]) {
    return { videos, startIndex, direct };
  }
  return { videos: fromAddress, startIndex: 0, direct: true };
}

/** Next and previous wrap around at the ends (specification §4). */
export function wrapped(index: number, length: number): number {
  return ((index % length) + length) % length;
}

export interface Slide {
  reel: FeedReel;
  /** -1 above, 0 on the screen, 1 below. */
  offset: -1 | 0 | 1;
}

/**
 * The video on the screen and its neighbours, which buffer meanwhile. Of two videos the other one waits where the
 * last move has left it.
 */
export function slidesAround(videos: FeedReel[], index: number, lastMove: 1 | -1): Slide[] {
  const at = (offset: Slide['offset']): Slide[] => {
    const reel = videos[wrapped(index + offset, videos.length)];
    return reel ? [{ reel, offset }] : [];
  };
  if (videos.length < 2) return at(0);
  if (videos.length === 2) return [...at(0), ...at(lastMove === 1 ? -1 : 1)];
  return [...at(-1), ...at(0), ...at(1)];
}
