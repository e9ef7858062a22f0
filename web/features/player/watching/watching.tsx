import type { FeedReel } from '#web/features/feed/feed.ts';
import { useVisitMemory } from './use-visit-memory.ts';
import { useWatchedView } from './use-watched-view.ts';

interface WatchingProps {
  reel: FeedReel | undefined;
  showing: number;
  video: HTMLVideoElement | null;
}

/** Counts what is watched. It is a component so that it follows a move with all that is drawn later. */
export function Watching({ reel, showing, video }: WatchingProps) {
  useWatchedView(reel, showing, video);
  useVisitMemory(reel, showing, video);
  return null;
}
