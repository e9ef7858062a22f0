import { type RefObject, useEffect, useRef } from 'react';
import type { PlaybackFigure } from '#contract/playback.ts';
import { measurePlayback } from './measure.ts';
import { recordPlayback } from './send-metrics.ts';

interface MetricsOptions {
  onScreen: boolean;
  rendition: PlaybackFigure['rendition'];
  /** The video was in the server's HTML, so its time counts from the start of the page load. */
  served: boolean;
}

/** Measures a video each time it is on the screen. */
export function usePlaybackMetrics(
  ref: RefObject<HTMLVideoElement | null>,
  { onScreen, rendition, served }: MetricsOptions,
): void {
  const first = useRef(served);
  useEffect(() => {
    const video = ref.current;
    if (!video || !onScreen || document.visibilityState === 'hidden') return;
    const now = () => performance.now();
    const since = first.current ? 0 : now();
    first.current = false;
    return recordPlayback(measurePlayback(video, { since, rendition, now }));
  }, [ref, onScreen, rendition]);
}
