import { useState } from 'react';

/**
 * Whether something that moves in a ring has just gone round its back: its place changed by `least` or more. It must not
 * fly across what is seen.
 */
export function useJumps(place: number, least: number): boolean {
  const [was, setWas] = useState({ now: place, before: place });
  if (was.now !== place) setWas({ now: place, before: was.now });
  return Math.abs(was.now - was.before) >= least;
}
