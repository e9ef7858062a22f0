import { type RefObject, useEffect, useEffectEvent } from 'react';

const farEnough = 0.16;
const fastEnough = 0.45;

/** Swipe by finger: the stage follows it (`--drag`), and lets go to the next, the previous or back. */
export function useSwipe(ref: RefObject<HTMLElement | null>, move: (by: 1 | -1) => void): void {
  const onMove = useEffectEvent(move);

  useEffect(() => {
    const stage = ref.current;
    if (!stage) return;
    let start: { y: number; at: number; id: number } | null = null;

    const down = (event: PointerEvent) => {
      if (event.pointerType === 'mouse' || !event.isPrimary) return;
      start = { y: event.clientY, at: event.timeStamp, id: event.pointerId };
    };
    const drag = (event: PointerEvent) => {
      if (event.pointerId !== start?.id) return;
      const by = event.clientY - start.y;
      if (Math.abs(by) < 8 && !stage.hasPointerCapture(start.id)) return;
      if (!stage.hasPointerCapture(start.id)) stage.setPointerCapture(start.id);
      stage.dataset.dragging = '';
      stage.style.setProperty('--drag', `${by}px`);
    };
    const up = (event: PointerEvent) => {
      if (event.pointerId !== start?.id) return;
      const by = event.clientY - start.y;
      const speed = Math.abs(by) / Math.max(1, event.timeStamp - start.at);
      const goes =
        event.type === 'pointerup' &&
        (Math.abs(by) > stage.clientHeight * farEnough || (speed > fastEnough && Math.abs(by) > 30));
      start = null;
      delete stage.dataset.dragging;
      stage.style.setProperty('--drag', '0px');
      if (goes) onMove(by < 0 ? 1 : -1);
    };

    stage.addEventListener('pointerdown', down);
    stage.addEventListener('pointermove', drag);
    stage.addEventListener('pointerup', up);
    stage.addEventListener('pointercancel', up);
    return () => {
      stage.removeEventListener('pointerdown', down);
      stage.removeEventListener('pointermove', drag);
      stage.removeEventListener('pointerup', up);
      stage.removeEventListener('pointercancel', up);
    };
  }, [ref]);
}
