import type { FeedReel } from '../feed/feed.ts';
import { type PlayedReel, wrapped } from './playlist.ts';

export interface PlayerSlide {
  reel: FeedReel;
  /** -1 is above the screen, 0 on it, 1 below it. */
  offset: -1 | 0 | 1;
}

interface Around {
  index: number;
  lastMove: 1 | -1;
  /** More pages follow, so the last video has no next one yet. */
  goesOn?: boolean;
}

/**
 * The current video and its neighbours, which are preloaded. If there are only two videos, the other one stays on the side
 * where the last move left it.
 */
export function slidesAround(
  videos: PlayedReel[],
  { index, lastMove, goesOn = false }: Around,
): PlayerSlide[] {
  const at = (offset: PlayerSlide['offset']): PlayerSlide[] => {
    const reel = videos[wrapped(index + offset, videos.length)];
    return reel ? [{ reel, offset }] : [];
  };
  const nothingBelow = goesOn && index === videos.length - 1;
  if (videos.length < 2) return at(0);
  if (videos.length === 2) return [...at(0), ...at(lastMove === 1 || nothingBelow ? -1 : 1)];
  return [...at(-1), ...at(0), ...(nothingBelow ? [] : at(1))];
}

/**
 * What is mounted while a move is drawn: without the neighbour that comes, since a video costs most of a frame. `before` are the slides
 * of the step before.
 */
export const slidesInMotion = (slides: PlayerSlide[], before: PlayerSlide[]) =>
  slides.filter(({ reel, offset }) => offset === 0 || before.some((slide) => slide.reel._id === reel._id));
