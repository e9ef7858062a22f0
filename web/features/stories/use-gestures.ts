import { type PointerEvent, type SyntheticEvent, useRef, useState } from 'react';

/** Milliseconds after which a finger holds the story instead of tapping. */
const holding = 250;
/** Pixels after which a movement is a swipe, and after which a swipe counts. */
const begins = 10;
const counts = 60;

interface Gestures {
  /** To the next person, or the one before. */
  onSwipe: (by: 1 | -1) => void;
  onDown: () => void;
}

interface Touch {
  id: number;
  x: number;
  y: number;
  axis?: 'x' | 'y';
}

/** What fingers and the mouse do on a story besides tapping: hold it, swipe to the side or down. */
export function useGestures({ onSwipe, onDown }: Gestures) {
  const touch = useRef<Touch>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** A click that ends a hold or a swipe is no tap. */
  const noTap = useRef(false);
  const [held, setHeld] = useState(false);

  function hold() {
    noTap.current = true;
    setHeld(true);
  }

  function down(event: PointerEvent) {
    if (!event.isPrimary || event.button !== 0) return;
    noTap.current = false;
    touch.current = { id: event.pointerId, x: event.clientX, y: event.clientY };
    timer.current = setTimeout(hold, holding);
  }

  function move({ pointerId, clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) {
    const began = touch.current;
    if (began?.id !== pointerId) return;
    const [x, y] = [clientX - began.x, clientY - began.y];
    if (!began.axis) {
      if (Math.max(Math.abs(x), Math.abs(y)) < begins) return;
      began.axis = Math.abs(x) > Math.abs(y) ? 'x' : 'y';
      hold();
    }
    const by = began.axis === 'x' ? `${x}px 0` : `0 ${Math.max(0, y)}px`;
    currentTarget.style.setProperty('--drag', by);
  }

  function end({ type, pointerId, clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) {
    const began = touch.current;
    if (began?.id !== pointerId) return;
    touch.current = undefined;
    clearTimeout(timer.current);
    setHeld(false);
    // The click of this release comes first.
    setTimeout(() => {
      noTap.current = false;
    });
    currentTarget.style.removeProperty('--drag');
    if (type !== 'pointerup') return;
    const [x, y] = [clientX - began.x, clientY - began.y];
    if (began.axis === 'x' && Math.abs(x) > counts) onSwipe(x < 0 ? 1 : -1);
    if (began.axis === 'y' && y > counts) onDown();
  }

  const handlers = {
    onPointerDown: down,
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    onClickCapture(event: SyntheticEvent) {
      if (noTap.current) event.stopPropagation();
    },
    // A finger that stays on a picture would open the browser's menu.
    onContextMenu: (event: SyntheticEvent) => void (touch.current && event.preventDefault()),
  };
  return { held, handlers };
}
