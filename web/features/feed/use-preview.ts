import { type RefObject, useEffect, useState } from 'react';

const hoverFor = 350;
const lookFor = 1500;

// One preview at a time: a new one ends the one before.
let endPlaying = () => {};

/** Whether a tile should play silently: pointed at, focused by keyboard, or, on a touch screen, looked at for long. */
export function usePreview(ref: RefObject<HTMLElement | null>): boolean {
  const [previewing, setPreviewing] = useState(false);

  useEffect(() => {
    const tile = ref.current;
    if (!tile || wantsQuiet()) return;
    let timer = 0;
    const end = () => {
      clearTimeout(timer);
      setPreviewing(false);
    };
    const after = (delay: number) => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (endPlaying !== end) endPlaying();
        endPlaying = end;
        setPreviewing(true);
      }, delay);
    };

    if (!matchMedia('(hover: hover)').matches) {
      // Looked at: it lies across the middle of the screen and stays there.
      const watch = new IntersectionObserver(([entry]) => (entry?.isIntersecting ? after(lookFor) : end()), {
        rootMargin: '-45% 0px -50% 0px',
      });
      watch.observe(tile);
      return () => {
        watch.disconnect();
        end();
      };
    }

    const enter = () => after(hoverFor);
    const focus = () => tile.matches(':focus-visible') && after(hoverFor);
    tile.addEventListener('pointerenter', enter);
    tile.addEventListener('pointerleave', end);
    tile.addEventListener('focus', focus);
    tile.addEventListener('blur', end);
    return () => {
      tile.removeEventListener('pointerenter', enter);
      tile.removeEventListener('pointerleave', end);
      tile.removeEventListener('focus', focus);
      tile.removeEventListener('blur', end);
      end();
    };
  }, [ref]);

  return previewing;
}

/** No motion wanted, or bytes are dear. */
function wantsQuiet(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return matchMedia('(prefers-reduced-motion: reduce)').matches || connection?.saveData === true;
}
