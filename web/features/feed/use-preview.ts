import { type RefObject, useEffect, useState } from 'react';

const hoverFor = 350;
const lookFor = 1500;

// Only one preview plays at a time.
let endPlaying = () => {};

/**
 * Whether a tile should play: with the pointer over it, with keyboard focus, or in the middle of a touch screen for
 * some time.
 */
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
      // The tile is in the middle of the screen and stays there.
      // A busy browser reports several changes at once, the newest last.
      const watch = new IntersectionObserver(
        (entries) => (entries.at(-1)?.isIntersecting ? after(lookFor) : end()),
        { rootMargin: '-45% 0px -50% 0px' },
      );
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

/** Whether the visitor wants reduced motion or to save data. */
function wantsQuiet(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return matchMedia('(prefers-reduced-motion: reduce)').matches || connection?.saveData === true;
}
