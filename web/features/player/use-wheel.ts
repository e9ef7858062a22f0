import { type RefObject, useEffect, useEffectEvent } from 'react';

const silence = 160;
const patience = 900;

/** One video for one turn of the wheel or stroke of the trackpad, however long the stroke rolls on. */
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
    const turn = (event: WheelEvent) => {
      if (event.ctrlKey || Math.abs(event.deltaY) < 4) return;
      const sameStroke = event.timeStamp - last < silence && event.timeStamp - moved < patience;
      last = event.timeStamp;
      if (sameStroke) return;
      moved = event.timeStamp;
      onMove(event.deltaY > 0 ? 1 : -1);
    };
    stage.addEventListener('wheel', turn, { passive: true });
    return () => stage.removeEventListener('wheel', turn);
  }, [ref, active]);
}
