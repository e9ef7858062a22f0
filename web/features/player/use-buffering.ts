import { useEffect, useState } from 'react';

/** A shorter wait is not shown. */
const delayMs = 300;
const events = [
  'play',
  'playing',
  'pause',
  'waiting',
  'canplay',
  'seeking',
  'seeked',
  'emptied',
  'error',
] as const;

/** Whether the current video has waited for data so long that a loading indicator is shown. */
export function useBuffering(video: HTMLVideoElement | null): boolean {
  const [waits, setWaits] = useState(false);
  useEffect(() => {
    if (!video) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      if (!video.paused && !video.error && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) {
        timer ??= setTimeout(() => setWaits(true), delayMs);
        return;
      }
      clearTimeout(timer);
      timer = undefined;
      setWaits(false);
    };
    look();
    for (const name of events) video.addEventListener(name, look);
    return () => {
      for (const name of events) video.removeEventListener(name, look);
      clearTimeout(timer);
      setWaits(false);
    };
  }, [video]);
  return waits;
}
