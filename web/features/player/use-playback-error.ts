import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** `lost` is a lost connection, which is retried; `broken` is a video that cannot be played. */
export type PlaybackError = 'lost' | 'broken';

/** A file that exists on the server is reloaded this many times before it counts as broken. */
const reloads = 2;
const firstRetry = 3000;
const lastRetry = 30_000;

/**
 * Why the current video does not play. After a lost connection the video is reloaded at the same position: when the browser
 * is back online, every few seconds, and by `retry`. `play` starts the video unless it is paused.
 */
export function usePlaybackError(video: HTMLVideoElement | null, play: (video: HTMLVideoElement) => void) {
  const [trouble, setTrouble] = useState<PlaybackError>();
  const again = useRef(() => {});
  const onPlay = useEffectEvent(play);

  useEffect(() => {
    if (!video) return;
    let left = false;
    let reloaded = 0;
    let wait = firstRetry;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = () => {
      clearTimeout(timer);
      const { currentTime } = video;
      video.load();
      if (currentTime > 0)
        video.addEventListener('loadedmetadata', () => (video.currentTime = currentTime), { once: true });
      onPlay(video);
    };
    const failed = async () => {
      const state = await stateOf(video.currentSrc || video.src);
      if (left || !video.error) return;
      if (state === 'there' && reloaded < reloads) {
        reloaded += 1;
        load();
      } else if (state === 'unreachable') {
        setTrouble('lost');
        clearTimeout(timer);
        timer = setTimeout(load, wait);
        wait = Math.min(2 * wait, lastRetry);
      } else setTrouble('broken');
    };
    const fine = () => {
      clearTimeout(timer);
      wait = firstRetry;
      setTrouble(undefined);
    };
    const online = () => {
      const isDry = !video.paused && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA;
      if (video.error || isDry) load();
    };
    again.current = load;
    video.addEventListener('error', failed);
    video.addEventListener('playing', fine);
    window.addEventListener('online', online);
    // The video may have failed while it was preloaded.
    if (video.error) void failed();
    return () => {
      left = true;
      clearTimeout(timer);
      video.removeEventListener('error', failed);
      video.removeEventListener('playing', fine);
      window.removeEventListener('online', online);
      setTrouble(undefined);
    };
  }, [video]);

  return { trouble, retry: () => again.current() };
}

/** Asks the server about a file that failed to play, because the browser does not report the cause. */
async function stateOf(address: string): Promise<'there' | 'unreachable' | 'gone'> {
  if (!navigator.onLine) return 'unreachable';
  const isOwn = new URL(address, location.href).origin === location.origin;
  try {
    const { ok, type, status } = await fetch(address, {
      method: 'HEAD',
      cache: 'no-store',
      // A redirect to the file store counts as a success. The status of another origin cannot be read.
      ...(isOwn ? { redirect: 'manual' } : { mode: 'no-cors' }),
    });
    if (ok || type !== 'basic') return 'there';
    return status === 429 || status >= 500 ? 'unreachable' : 'gone';
  } catch {
    return 'unreachable';
  }
}
