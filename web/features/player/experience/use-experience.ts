import { type RefObject, useEffect, useRef } from 'react';
import type { PlaybackFigure } from '#contract/playback.ts';
import { noteShowing } from './figures.ts';
import { measureShowing } from './measure.ts';

interface Experience {
  onScreen: boolean;
  rendition: PlaybackFigure['rendition'];
  /** It stood in the page that the server sent, so it was wanted from the page's beginning on. */
  served: boolean;
}

/** Measures each showing of a video: it begins when it comes on the screen, and ends when it leaves. */
export function useExperience(
  ref: RefObject<HTMLVideoElement | null>,
  { onScreen, rendition, served }: Experience,
): void {
  const first = useRef(served);
  useEffect(() => {
    const video = ref.current;
    if (!video || !onScreen || document.visibilityState === 'hidden') return;
    const now = () => performance.now();
    const since = first.current ? 0 : now();
    first.current = false;
    return noteShowing(measureShowing(video, { since, rendition, now }));
  }, [ref, onScreen, rendition]);
}
