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
  useEffect(() => (video ? watchBuffering(video, setWaits) : undefined), [video]);
  return waits;
}

/** Reports when a video begins to wait for data for longer than the delay, and when it no longer does; returns a function that ends it. */
export function watchBuffering(video: HTMLVideoElement, report: (waits: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if (!video.paused && !video.error && video.readyState < video.HAVE_FUTURE_DATA) {
      timer ??= setTimeout(() => report(true), delayMs);
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    report(false);
  };
  look();
  for (const name of events) video.addEventListener(name, look);
  return () => {
    for (const name of events) video.removeEventListener(name, look);
    clearTimeout(timer);
    report(false);
  };
}
