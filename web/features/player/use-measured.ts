import { type RefObject, useEffect } from 'react';
import { noteDownload, noteStall } from './download-speed.ts';

/** What has come once is in the browser's cache, and tells nothing of the network; the newest are remembered. */
const seen = new Set<string>();
const remembered = 60;

interface Measured {
  src: string;
  bitrate: number | undefined;
  /** The browser has been let to load it. */
  loads: boolean;
  onScreen: boolean;
}

/** Measures the network by how fast a video of known bitrate fills its buffer, and hears of one that has run dry. */
export function useMeasured(
  ref: RefObject<HTMLVideoElement | null>,
  { src, bitrate, loads, onScreen }: Measured,
): void {
  useEffect(() => {
    const video = ref.current;
    if (!video || !bitrate || !loads || seen.has(src)) return;
    const start = performance.now();
    const had = bufferedUntil(video);
    // What has enough need not hurry: from here on the pace is the browser's own. Who moves on before that has seen
    // how slowly it came.
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      const seconds = (performance.now() - start) / 1000;
      if (noteDownload(bitrate * (bufferedUntil(video) - had), seconds)) remember(src);
    };
    video.addEventListener('canplaythrough', end, { once: true });
    return () => {
      video.removeEventListener('canplaythrough', end);
      end();
    };
  }, [ref, src, bitrate, loads]);

  useEffect(() => {
    const video = ref.current;
    if (!video || !onScreen) return;
    const dry = () => {
      // At the beginning and after a jump it waits by nature.
      if (video.currentTime > 0.5 && !video.seeking) noteStall();
    };
    video.addEventListener('waiting', dry);
    return () => video.removeEventListener('waiting', dry);
  }, [ref, onScreen]);
}

function bufferedUntil({ buffered }: HTMLVideoElement): number {
  return buffered.length === 0 ? 0 : buffered.end(buffered.length - 1);
}

function remember(src: string): void {
  seen.add(src);
  const [oldest] = seen;
  if (seen.size > remembered && oldest) seen.delete(oldest);
}
