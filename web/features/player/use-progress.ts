import { type RefObject, useEffect } from 'react';

/** The animation is corrected if it differs from the video by more than this many milliseconds. */
const drift = 150;
const events = ['loadedmetadata', 'playing', 'pause', 'waiting', 'seeking', 'seeked', 'timeupdate'] as const;

/**
 * Draws the position in a video. `fill` grows by a compositor animation, which needs no script while the video plays. The
 * value of `bar` is updated four times a second for screen readers and seeking.
 */
export function useProgress(
  video: HTMLVideoElement | null,
  fill: RefObject<HTMLElement | null>,
  bar: RefObject<HTMLInputElement | null>,
): void {
  useEffect(() => {
    if (!video || !fill.current) return;
    const growing = fill.current.animate([{ transform: 'scaleX(0)' }, { transform: 'scaleX(1)' }], {
      duration: 1000,
      fill: 'both',
    });
    growing.pause();

    const follow = ({ type }: { type: string }) => {
      const { currentTime, duration, paused, seeking } = video;
      if (!(duration > 0) || !Number.isFinite(duration)) return;
      growing.effect?.updateTiming({ duration: duration * 1000 });
      const now = currentTime * 1000;
      if (Math.abs(Number(growing.currentTime ?? 0) - now) > drift) growing.currentTime = now;
      if (paused || seeking || type === 'waiting') growing.pause();
      else if (growing.playState !== 'running') growing.play();
      if (bar.current) bar.current.valueAsNumber = Math.round((currentTime / duration) * 1000);
    };
    follow({ type: 'loadedmetadata' });
    for (const name of events) video.addEventListener(name, follow);
    return () => {
      for (const name of events) video.removeEventListener(name, follow);
      growing.cancel();
    };
  }, [video, fill, bar]);
}
