import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';
import { useReleaseVideo } from './use-release-video.ts';
import type { Sound } from './use-sound.ts';

interface Playback {
  /** The video is on the screen and not paused. */
  playing: boolean;
  onScreen: boolean;
  sound: Sound;
}

/** Plays a video while it is on the screen. When it leaves, it is muted and rewound in the same frame. */
export function usePlayback(
  ref: RefObject<HTMLVideoElement | null>,
  { playing, onScreen, sound }: Playback,
): void {
  const { muted } = sound;
  const onRefused = useEffectEvent(sound.refused);

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
    void start(video, onRefused);
  }, [ref, onScreen, playing]);

  useReleaseVideo(ref);
}

/** Plays a video; if the browser refuses sound, plays it muted and calls `refused`. */
export async function start(video: HTMLVideoElement, refused: () => void): Promise<void> {
  try {
    await video.play();
  } catch (error) {
    // AbortError means that the video was paused before it began. NotSupportedError is handled by the `error` event.
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError' || video.muted) return;
    video.muted = true;
    refused();
    await start(video, refused);
  }
}
