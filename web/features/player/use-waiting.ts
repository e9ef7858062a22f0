import { useEffect, useState } from 'react';

/** Milliseconds after which somebody wonders. */
const noticed = 300;
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

/** Whether the video on the screen has been waiting for its data for so long that it has to be said. */
export function useWaiting(video: HTMLVideoElement | null): boolean {
  const [waits, setWaits] = useState(false);
  useEffect(() => {
    if (!video) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      if (!video.paused && !video.error && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) {
        timer ??= setTimeout(() => setWaits(true), noticed);
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
