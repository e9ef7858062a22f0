import { type RefObject, useEffect } from 'react';
import { noteDownload, noteStall } from './download-speed.ts';

/** URLs that were loaded before. They are in the browser's cache, so loading them again does not measure the network. */
const seen = new Set<string>();
const remembered = 60;

interface MeasuredVideo {
  src: string;
  bitrate: number | undefined;
  /** The browser may load the video. */
  loads: boolean;
  onScreen: boolean;
}

/** Measures the bandwidth by how fast a video of known bitrate fills its buffer, and lowers it after a stall. */
export function useMeasureDownload(
  ref: RefObject<HTMLVideoElement | null>,
  { src, bitrate, loads, onScreen }: MeasuredVideo,
): void {
  useEffect(() => {
    const video = ref.current;
    if (!video || !bitrate || !loads || seen.has(src)) return;
    const start = performance.now();
    const had = bufferedUntil(video);
    // The measurement ends at `canplaythrough`, because the browser then slows the download itself. If the person leaves
    // before, the data so far is used.
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
      // Waiting at the start and after seeking is normal.
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
