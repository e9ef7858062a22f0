import { type RefObject, useEffect, useEffectEvent } from 'react';

interface Drag {
  axis: 'x' | 'y';
  /** Whether dragging with a mouse works too. */
  mouse?: boolean;
  /** Called when a finger touches the element, and when it leaves. */
  onTouch?: (touching: boolean) => void;
  /** Whether a swipe of this distance and duration moves to the next item. */
  isEnough: (pixels: number, milliseconds: number) => boolean;
  move: (by: 1 | -1) => void;
}

/** Swiping along one axis: the content follows the finger (`--drag`), then moves to the next or previous item, or back. */
export function useDrag(ref: RefObject<HTMLElement | null>, drag: Drag): void {
  const { axis, mouse = false } = drag;
  const onTouch = useEffectEvent((touching: boolean) => drag.onTouch?.(touching));
  const onEnd = useEffectEvent((by: number, took: number) => {
    if (drag.isEnough(Math.abs(by), took)) drag.move(by < 0 ? 1 : -1);
  });

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let start: { at: number; time: number; id: number } | null = null;
    const placeOf = (event: PointerEvent) => (axis === 'x' ? event.clientX : event.clientY);

    const down = (event: PointerEvent) => {
      const isMouse = event.pointerType === 'mouse';
      if (!event.isPrimary || event.button !== 0 || (isMouse && !mouse)) return;
      start = { at: placeOf(event), time: event.timeStamp, id: event.pointerId };
      if (!isMouse) onTouch(true);
    };
    const follow = (event: PointerEvent) => {
      if (event.pointerId !== start?.id) return;
      const by = placeOf(event) - start.at;
      if (Math.abs(by) < 8 && !element.hasPointerCapture(start.id)) return;
      if (!element.hasPointerCapture(start.id)) element.setPointerCapture(start.id);
      element.dataset.dragging = '';
      element.style.setProperty('--drag', `${by}px`);
    };
    const up = (event: PointerEvent) => {
      if (event.pointerId !== start?.id) return;
      const by = placeOf(event) - start.at;
      const took = event.timeStamp - start.time;
      start = null;
      delete element.dataset.dragging;
      element.style.setProperty('--drag', '0px');
      onTouch(false);
      if (event.type === 'pointerup') onEnd(by, took);
    };

    const unmounted = new AbortController();
    const listening = { signal: unmounted.signal };
    element.addEventListener('pointerdown', down, listening);
    element.addEventListener('pointermove', follow, listening);
    element.addEventListener('pointerup', up, listening);
    element.addEventListener('pointercancel', up, listening);
    return () => unmounted.abort();
  }, [ref, axis, mouse]);
}
