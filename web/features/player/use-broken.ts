import { useCallback, useEffect, useEffectEvent, useState } from 'react';

const readFor = 2500;

/** Videos that cannot be played. One that comes on the screen says so for a moment, then the next one is shown. */
export function useBroken(id: string | undefined, total: number, next: () => void) {
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const onBroken = useCallback((one: string) => setBroken((all) => new Set(all).add(one)), []);
  const isBroken = id !== undefined && broken.has(id);
  const movesOn = isBroken && broken.size < total;
  const onMove = useEffectEvent(next);

  useEffect(() => {
    if (!movesOn || !id) return;
    const timer = setTimeout(onMove, readFor);
    return () => clearTimeout(timer);
  }, [movesOn, id]);

  return { isBroken, movesOn, onBroken };
}
