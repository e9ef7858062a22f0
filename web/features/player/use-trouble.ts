import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** The connection is gone, which passes; or the video itself cannot be played, which does not. */
export type Trouble = 'lost' | 'broken';

/** A file that is there is loaded so many times anew before it counts as broken. */
const reloads = 2;
const firstRetry = 3000;
const lastRetry = 30_000;

/**
 * Why the video on the screen does not go on. A lost connection is waited for: it is tried again, at the same moment of
 * the video, when the browser is back online, every few seconds, and by `retry`. `play` starts it if it is to play.
 */
export function useTrouble(video: HTMLVideoElement | null, play: (video: HTMLVideoElement) => void) {
  const [trouble, setTrouble] = useState<Trouble>();
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
    // It may have failed while it was loaded ahead.
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

/** What its server says of a file that the browser could not play: the browser itself does not tell why. */
async function stateOf(address: string): Promise<'there' | 'unreachable' | 'gone'> {
  if (!navigator.onLine) return 'unreachable';
  const isOwn = new URL(address, location.href).origin === location.origin;
  try {
    const { ok, type, status } = await fetch(address, {
      method: 'HEAD',
      cache: 'no-store',
      // A redirect to the store of the files is an answer; what another host answers cannot be read.
      ...(isOwn ? { redirect: 'manual' } : { mode: 'no-cors' }),
    });
    if (ok || type !== 'basic') return 'there';
    return status === 429 || status >= 500 ? 'unreachable' : 'gone';
  } catch {
    return 'unreachable';
  }
}
