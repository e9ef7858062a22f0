import { type RefObject, useEffect } from 'react';

/** Stops the download and frees the buffer of a video that is removed from the page. */
export function useReleaseVideo(ref: RefObject<HTMLVideoElement | null>): void {
  useEffect(() => {
    const video = ref.current;
    return () => {
      video?.pause();
      if (!video || video.isConnected) return;
      video.removeAttribute('src');
      video.load();
    };
  }, [ref]);
}
