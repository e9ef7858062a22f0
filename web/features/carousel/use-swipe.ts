import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Pixels a finger must go for the next slide (specification §9). */
const threshold = 50;

/** Swipe sideways: the slides follow the finger (`--drag`) and let go to the next, the previous or back. */
export function useSwipe(
  ref: RefObject<HTMLElement | null>,
  onTouch: (touching: boolean) => void,
  move: (by: 1 | -1) => void,
): void {
  const touched = useEffectEvent(onTouch);
  const moved = useEffectEvent(move);

  useEffect(() => {
    const track = ref.current;
    if (!track) return;
    let start: { x: number; id: number } | null = null;

    const down = (event: PointerEvent) => {
      if (!event.isPrimary || event.button !== 0) return;
      start = { x: event.clientX, id: event.pointerId };
      if (event.pointerType !== 'mouse') touched(true);
    };
    const drag = (event: PointerEvent) => {
      if (event.pointerId !== start?.id) return;
      const by = event.clientX - start.x;
      if (Math.abs(by) < 8 && !track.hasPointerCapture(start.id)) return;
      if (!track.hasPointerCapture(start.id)) track.setPointerCapture(start.id);
      track.dataset.dragging = '';
      track.style.setProperty('--drag', `${by}px`);
    };
    const up = (event: PointerEvent) => {
      if (event.pointerId !== start?.id) return;
      const by = event.clientX - start.x;
      start = null;
      delete track.dataset.dragging;
      track.style.setProperty('--drag', '0px');
      touched(false);
      if (event.type === 'pointerup' && Math.abs(by) >= threshold) moved(by < 0 ? 1 : -1);
    };
    const listeners = { pointerdown: down, pointermove: drag, pointerup: up, pointercancel: up };
    for (const [name, listener] of Object.entries(listeners))
      track.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        track.removeEventListener(name, listener as EventListener);
    };
  }, [ref]);
}
