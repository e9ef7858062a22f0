import { useState } from 'react';

/**
 * Whether an item of a ring has just moved from one end to the other: its position changed by `least` or more. Such a move
 * must not be animated, because the item would fly across the visible ones.
 */
export function useJumps(place: number, least: number): boolean {
  const [was, setWas] = useState({ now: place, before: place });
  if (was.now !== place) setWas({ now: place, before: was.now });
  return Math.abs(was.now - was.before) >= least;
}
