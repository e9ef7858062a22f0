import { type MouseEvent, useRef } from 'react';
import type { Point } from '../interactions/controls.ts';

const milliseconds = 300;
const pixels = 40;

interface Taps {
  onTap: () => void;
  /** Called for the second tap of a double tap on one reel; the first tap has called `onTap`. */
  onDouble: (point: Point) => void;
}

/** Detects double taps by mouse and finger, because not every browser fires `dblclick` for fingers. */
export function useTaps(showing: number, { onTap, onDouble }: Taps): (event: MouseEvent) => void {
  const last = useRef<{ at: number; x: number; y: number; showing: number }>(undefined);
  return ({ timeStamp, clientX, clientY, detail }) => {
    const before = last.current;
    // Key presses also fire `click` events, and are never a double tap.
    const isKey = detail === 0;
    const isSecond =
      before !== undefined &&
      timeStamp - before.at < milliseconds &&
      Math.hypot(clientX - before.x, clientY - before.y) < pixels;
    last.current = isKey || isSecond ? undefined : { at: timeStamp, x: clientX, y: clientY, showing };
    if (isKey || !isSecond) onTap();
    // The first tap may have gone on to another reel, which nobody has meant yet.
    else if (before.showing === showing) onDouble({ x: clientX, y: clientY });
  };
}
