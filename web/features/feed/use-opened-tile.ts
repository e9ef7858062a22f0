import { type RefObject, useEffect } from 'react';
import { useLocation, useViewTransitionState } from 'react-router';

/** The tile that was opened last, and at which place of the browser's history its grid stands. */
let opened: { place: string; id: string; returned: boolean } | undefined;

/**
 * The one tile of a grid that grows into the player, and back. Who comes Back finds the focus on it, for whoever goes
 * by keys. `remember` is called when the tile is opened.
 */
export function useOpenedTile(ref: RefObject<HTMLElement | null>, id: string, to: string) {
  const { key: place } = useLocation();
  // React Router compares paths alone, and all reels have the same one.
  const isMoving = useViewTransitionState(to);
  const isOpened = () => opened?.id === id && opened.place === place;

  useEffect(() => {
    if (opened?.id !== id || opened.place !== place || opened.returned) return;
    opened.returned = true;
    ref.current?.focus({ preventScroll: true });
  }, [ref, id, place]);

  return {
    moves: isMoving && isOpened(),
    remember: () => {
      opened = { place, id, returned: false };
    },
  };
}
