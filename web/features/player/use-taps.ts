import { type MouseEvent, useRef } from 'react';

const milliseconds = 300;
const pixels = 40;

interface Taps {
  onTap: () => void;
  /** The second of two taps at one place; the first one was a tap of its own. */
  onDouble: () => void;
}

/** Tells the second tap of two from a single one, by mouse and by finger: not every browser does for fingers. */
export function useTaps({ onTap, onDouble }: Taps): (event: MouseEvent) => void {
  const last = useRef<{ at: number; x: number; y: number }>(undefined);
  return ({ timeStamp, clientX, clientY, detail }) => {
    const before = last.current;
    // A button that is pressed by a key is pressed each time.
    const isKey = detail === 0;
    const isSecond =
      before !== undefined &&
      timeStamp - before.at < milliseconds &&
      Math.hypot(clientX - before.x, clientY - before.y) < pixels;
    last.current = isKey || isSecond ? undefined : { at: timeStamp, x: clientX, y: clientY };
    if (isSecond && !isKey) onDouble();
    else onTap();
  };
}
