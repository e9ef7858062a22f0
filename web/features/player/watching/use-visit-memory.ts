import { useEffect } from 'react';
import { rules, secondsToWatch } from '#contract/earning-rules.ts';
import type { FeedReel } from '#web/features/feed/feed.ts';
import { measureWatching } from './measure-watching.ts';

/** Of the video, for a reel that was watched to its end. */
const toEndShare = 0.9;

/** Remembers for this visit that a reel was watched, and that it was watched to its end. Nothing depends on it but For you. */
export function useVisitMemory(
  reel: FeedReel | undefined,
  showing: number,
  video: HTMLVideoElement | null,
): void {
  const { _id: id, duration = 0 } = reel ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: each showing is measured from its start
  useEffect(() => {
    if (!video || !id) return;
    const measures = [false, true].map((toEnd) =>
      measureWatching(video, {
        seconds: toEnd ? duration * toEndShare : secondsToWatch(duration, rules.watch),
        isVisible: () => document.visibilityState === 'visible',
        onWatched: () =>
          // Without a network the reel is not remembered.
          void import('#web/features/taste/visit.ts').then(
            ({ noteWatched }) => noteWatched(id, toEnd),
            () => undefined,
          ),
      }),
    );
    return () => {
      for (const stop of measures) stop();
    };
  }, [id, duration, showing, video]);
}
