import { useEffect, useEffectEvent, useState } from 'react';

const readFor = 2500;

/**
 * Moves on by itself from a video that cannot be played, once: until another one has played, the next such video waits
 * for the person. Returns whether it is about to.
 */
export function useMovingOn(isBroken: boolean, video: HTMLVideoElement | null, next: () => void): boolean {
  const [hasMoved, setHasMoved] = useState(false);
  const onMove = useEffectEvent(next);
  const movesOn = isBroken && !hasMoved;

  useEffect(() => {
    if (!movesOn) return;
    const timer = setTimeout(() => {
      setHasMoved(true);
      onMove();
    }, readFor);
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
