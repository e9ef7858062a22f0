import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';
import { useLetGo } from './use-let-go.ts';
import type { Sound } from './use-sound.ts';

interface Playback {
  /** On the screen, and nothing holds it. */
  playing: boolean;
  onScreen: boolean;
  sound: Sound;
}

/** Makes a video play while it is on the screen, and be silent and at its beginning in the same frame it leaves. */
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

  useLetGo(ref);
}

/** Plays it; silently where the browser refuses sound, which `refused` is told. */
export async function start(video: HTMLVideoElement, refused: () => void): Promise<void> {
  try {
    await video.play();
  } catch (error) {
    // AbortError: paused or left before it began. NotSupportedError: the video's own error event tells.
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError' || video.muted) return;
    video.muted = true;
    refused();
    await start(video, refused);
  }
}
