import { type RefObject, useEffect } from 'react';

/** Milliseconds by which the drawn progress may differ from the video's own before it is set right. */
const drift = 150;
const events = ['loadedmetadata', 'playing', 'pause', 'waiting', 'seeking', 'seeked', 'timeupdate'] as const;

/**
 * Draws how far a video is: `fill` grows by an animation of the compositor, so that a playing video costs the page
 * nothing, and `bar` is told four times a second for those who read or move it.
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
