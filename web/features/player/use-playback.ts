import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';
import { useReleaseVideo } from './use-release-video.ts';
import type { Sound } from './use-sound.ts';

interface Playback {
  /** The video is on the screen and not paused. */
  playing: boolean;
  onScreen: boolean;
  sound: Sound;
  /** Called when the video stands still although it should play: the browser or the system refused or stopped it. */
  onHeld: () => void;
}

/** Plays a video while it is on the screen. When it leaves, it is muted and rewound in the same frame. */
export function usePlayback(
  ref: RefObject<HTMLVideoElement | null>,
  { playing, onScreen, sound, onHeld }: Playback,
): void {
  const { muted } = sound;
  const refusals: Refusals = {
    sound: useEffectEvent(sound.refused),
    // The answer may come after the person has moved on.
    play: useEffectEvent(() => onScreen && onHeld()),
  };
  const begin = useEffectEvent((video: HTMLVideoElement) => void start(video, refusals));
  const held = useEffectEvent(onHeld);

  useLayoutEffect(() => {
    const video = ref.current;
    if (!video || onScreen) return;
    video.pause();
    if (video.currentTime > 0) video.currentTime = 0;
  }, [ref, onScreen]);

  useLayoutEffect(() => {
    if (ref.current) ref.current.muted = muted || !onScreen;
  }, [ref, muted, onScreen]);

  useLayoutEffect(() => {
    const video = ref.current;
    if (!video || !onScreen) return;
    if (!playing) {
      video.pause();
      return;
    }
    begin(video);
    // Browsers pause the videos of hidden pages, and not all of them play them again.
    const isHidden = () => document.visibilityState === 'hidden';
    const stopped = () => {
      // A video that failed, or is being loaded again, is played by whoever loads it.
      const isReady = !video.error && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
      if (video.paused && !video.ended && isReady && !isHidden()) held();
    };
    const shown = () => {
      if (video.paused && !isHidden()) begin(video);
    };
    video.addEventListener('pause', stopped);
    document.addEventListener('visibilitychange', shown);
    return () => {
      video.removeEventListener('pause', stopped);
      document.removeEventListener('visibilitychange', shown);
    };
  }, [ref, onScreen, playing]);

  useReleaseVideo(ref);
}

/** What to do if the browser refuses to play with sound, or at all, as phones do to save power or data. */
interface Refusals {
  sound: () => void;
  play: () => void;
}

/** Plays a video; if the browser refuses sound, plays it muted. */
export async function start(video: HTMLVideoElement, refusals: Refusals): Promise<void> {
  try {
    await video.play();
  } catch (error) {
    // AbortError means that the video was paused before it began. NotSupportedError is handled by the `error` event.
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
    if (video.muted) return refusals.play();
    video.muted = true;
    refusals.sound();
    await start(video, refusals);
  }
}
