import { type RefObject, useEffect, useEffectEvent } from 'react';

const strokeGapMs = 160;
const maxStrokeMs = 900;

/** Moves one video per turn of the wheel or stroke of the trackpad, even if the stroke continues to scroll by inertia. */
export function useWheel(
  ref: RefObject<HTMLElement | null>,
  active: boolean,
  move: (by: 1 | -1) => void,
): void {
  const onMove = useEffectEvent(move);

  useEffect(() => {
    const stage = ref.current;
    if (!stage || !active) return;
    let last = Number.NEGATIVE_INFINITY;
    let moved = Number.NEGATIVE_INFINITY;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || Math.abs(event.deltaY) < 4) return;
      const sameStroke = event.timeStamp - last < strokeGapMs && event.timeStamp - moved < maxStrokeMs;
      last = event.timeStamp;
      if (sameStroke) return;
      moved = event.timeStamp;
      onMove(event.deltaY > 0 ? 1 : -1);
    };
    stage.addEventListener('wheel', onWheel, { passive: true });
    return () => stage.removeEventListener('wheel', onWheel);
  }, [ref, active]);
}
