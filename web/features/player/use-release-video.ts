import { type RefObject, useEffect } from 'react';

/** Stops the download and frees the buffer of a video that is removed from the page. */
export function useReleaseVideo(ref: RefObject<HTMLVideoElement | null>): void {
  useEffect(() => {
    const video = ref.current;
    return () => {
      video?.pause();
      // In a task of its own: it takes a while, and a swipe is waiting for its first frame.
      setTimeout(() => {
        if (!video || video.isConnected) return;
        video.removeAttribute('src');
        video.load();
      });
    };
  }, [ref]);
}
