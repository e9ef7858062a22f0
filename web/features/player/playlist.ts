import type { RankReason } from '#contract/taste.ts';
import type { FeedReel } from '../feed/feed.ts';

/** A reel of the player's list. */
export interface PlayedReel extends FeedReel {
  /** It follows after the last new one, and was seen before. */
  again?: true;
  /** Why it is in a ranked list. */
  why?: RankReason;
}

/** The navigation state for the player (specification §2): a list of reels and the position to start at. */
export interface PlayerState {
  videos: PlayedReel[];
  startIndex: number;
  /** The list that the videos are from, with its following pages; without it they are all. */
  rest?: NextPages | undefined;
  /** The player was opened by its URL, so Back has no grid to return to. */
  direct?: boolean;
}

/** A list that the player goes on with. It is stored in the history state, so it is data alone. */
export type ReelList =
  /** Newest. `only`: without those that this device has seen, or, after the last new one, only those. */
  | { of: 'feed'; only?: 'new' | 'seen' }
  | { of: 'forYou' }
  | { of: 'following' }
  | { of: 'person'; userId: string }
  | { of: 'search'; q: string }
  | { of: 'tag'; tag: string };

/** The pages of a list after a cursor; null is its beginning, and undefined its end. */
export interface NextPages {
  list: ReelList;
  cursor: string | null | undefined;
}

export type Source = Pick<PlayerState, 'videos' | 'rest'>;

/** The list and position to play: from navigation state, otherwise from the URL. */
export function playlistOf(fromAddress: Source, state: unknown): PlayerState {
  const { videos, startIndex, rest, direct = false } = (state ?? {}) as Partial<PlayerState>;
  if (Array.isArray(videos) && typeof startIndex === 'number' && videos[startIndex]) {
    return { videos, startIndex, rest, direct };
  }
  return { ...fromAddress, startIndex: 0, direct: true };
}

/** The history state contains only this many previous videos, because the browser copies the state at every move. */
const keptBehind = 100;

/** The part of the list that is put into the history state, so that Forward finds it again. */
export function keptState({ videos, startIndex, ...rest }: PlayerState): PlayerState {
  const from = Math.max(0, startIndex - keptBehind);
  return { ...rest, videos: from === 0 ? videos : videos.slice(from), startIndex: startIndex - from };
}

/** Removes duplicates: the video of the URL appears again at its position in the feed. */
export function eachOnce(videos: PlayedReel[]): PlayedReel[] {
  const seen = new Set<string>();
  return videos.filter(({ _id }) => !seen.has(_id) && seen.add(_id));
}

/** The next or previous index; it wraps around at both ends (specification §4). */
export function wrapped(index: number, length: number): number {
  return ((index % length) + length) % length;
}
