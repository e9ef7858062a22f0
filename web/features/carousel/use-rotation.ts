import { useCallback, useEffect, useState } from 'react';
import { useHidden, useMedia } from '#web/ui/use-media.ts';

/** Milliseconds for which a slide is shown (specification §9). */
const interval = 3000;

export interface Rotation {
  index: number;
  /** Shows a slide. Indexes beyond the ends wrap around. */
  show: (index: number) => void;
  /** Whether the visitor has left the rotation switched on. */
  on: boolean;
  toggle: () => void;
}

/** Shows the next slide every three seconds, unless it is paused, switched off, or motion is not wanted. */
export function useRotation(count: number, held: boolean): Rotation {
  const [index, setIndex] = useState(0);
  const [switched, setSwitched] = useState<boolean>();
  const quiet = useMedia('(prefers-reduced-motion: reduce)');
  const hidden = useHidden();
  const on = switched ?? !quiet;
  const show = useCallback((to: number) => setIndex(((to % count) + count) % count), [count]);

  useEffect(() => {
    if (!on || held || hidden) return;
    const timer = setTimeout(() => show(index + 1), interval);
    return () => clearTimeout(timer);
  }, [on, held, hidden, index, show]);

  return { index, show, on, toggle: () => setSwitched(!on) };
}
