import { useEffect, useEffectEvent, useRef } from 'react';

/** Calls `onOver` after the time has passed in which it ran; it starts and rests any number of times. */
export function useTimer(runs: boolean, milliseconds: number, onOver: () => void): void {
  const left = useRef(milliseconds);
  const over = useEffectEvent(onOver);
  useEffect(() => {
    if (!runs) return;
    const began = performance.now();
    const timer = setTimeout(over, left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - began;
    };
  }, [runs]);
}
