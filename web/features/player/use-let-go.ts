import { type RefObject, useEffect } from 'react';

/** A video that leaves the page altogether must not go on fetching, nor keep what it has fetched. */
export function useLetGo(ref: RefObject<HTMLVideoElement | null>): void {
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
