import type { FeedReel } from '../feed/feed.ts';

/** What the player receives through navigation state (specification §2): a list and where to start in it. */
export interface PlayerState {
  videos: FeedReel[];
  startIndex: number;
  /** Where the list goes on after these; undefined at its end. */
  rest?: Rest | undefined;
  /** Opened from its own address: Back has no grid to return to. */
  direct?: boolean;
}

/** What comes after a cursor (null: from the beginning on) in a person's reels, or in the feed. */
export interface Rest {
  of?: string;
  cursor: string | null;
}

/** What comes after the pages of a list that are there. */
export function restAfter(nextCursor: string | null, of?: string): Rest | undefined {
  if (nextCursor === null) return undefined;
  return { cursor: nextCursor, ...(of === undefined ? {} : { of }) };
}

/** The list and place to play: as handed over, else as the address says. */
export function playlistOf(fromAddress: Pick<PlayerState, 'videos' | 'rest'>, state: unknown): PlayerState {
  const { videos, startIndex, rest, direct = false } = (state ?? {}) as Partial<PlayerState>;
  if (Array.isArray(videos) && typeof startIndex === 'number' && videos[startIndex]) {
    return { videos, startIndex, rest, direct };
  }
  return { ...fromAddress, startIndex: 0, direct: true };
}

/** So many videos behind the one on the screen are kept in the browser's history: it copies them at every move. */
const keptBehind = 100;

/** What the browser's history keeps of a list, to be found again by Forward. */
export function keptState({ videos, startIndex, ...rest }: PlayerState): PlayerState {
  const from = Math.max(0, startIndex - keptBehind);
  return { ...rest, videos: from === 0 ? videos : videos.slice(from), startIndex: startIndex - from };
}

/** Each video once: the one that an address names comes again where it stands in the feed. */
export function eachOnce(videos: FeedReel[]): FeedReel[] {
  const seen = new Set<string>();
  return videos.filter(({ _id }) => !seen.has(_id) && seen.add(_id));
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

interface Around {
  index: number;
  lastMove: 1 | -1;
  /** More of the list is to come: below the last video stands nothing yet. */
  goesOn?: boolean;
}

/**
 * The video on the screen and its neighbours, which buffer meanwhile. Of two videos the other one waits where the
 * last move has left it.
 */
export function slidesAround(videos: FeedReel[], { index, lastMove, goesOn = false }: Around): Slide[] {
  const at = (offset: Slide['offset']): Slide[] => {
    const reel = videos[wrapped(index + offset, videos.length)];
    return reel ? [{ reel, offset }] : [];
  };
  const nothingBelow = goesOn && index === videos.length - 1;
  if (videos.length < 2) return at(0);
  if (videos.length === 2) return [...at(0), ...at(lastMove === 1 || nothingBelow ? -1 : 1)];
  return [...at(-1), ...at(0), ...(nothingBelow ? [] : at(1))];
}
