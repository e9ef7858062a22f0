import { useEffect, useEffectEvent, useState } from 'react';

const skipDelayMs = 2500;

/**
 * Skips a video that cannot be played. It does so once: until another video has played, the next broken one waits for the
 * person. Returns whether it is about to skip.
 */
export function useSkipBroken(isBroken: boolean, video: HTMLVideoElement | null, next: () => void): boolean {
  const [hasMoved, setHasMoved] = useState(false);
  const onMove = useEffectEvent(next);
  const movesOn = isBroken && !hasMoved;

  useEffect(() => {
    if (!movesOn) return;
    const timer = setTimeout(() => {
      setHasMoved(true);
      onMove();
    }, skipDelayMs);
    return () => clearTimeout(timer);
  }, [movesOn]);

  useEffect(() => {
    if (!video) return;
    const plays = () => setHasMoved(false);
    video.addEventListener('playing', plays);
    return () => video.removeEventListener('playing', plays);
  }, [video]);

  return movesOn;
}
