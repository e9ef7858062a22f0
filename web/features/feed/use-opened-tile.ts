import { type RefObject, useEffect } from 'react';
import { useLocation, useViewTransitionState } from 'react-router';

/** The tile that was opened last, and the history entry of its grid. */
let opened: { historyKey: string; id: string; returned: boolean } | undefined;

/**
 * Makes the opened tile of a grid grow into the player, and back. After Back the tile gets the focus, for keyboard
 * users. Call `remember` when the tile is opened.
 */
export function useOpenedTile(ref: RefObject<HTMLElement | null>, id: string, to: string) {
  const { key: historyKey } = useLocation();
  // React Router compares only paths, and all reels have the same path.
  const isMoving = useViewTransitionState(to);
  const isOpened = () => opened?.id === id && opened.historyKey === historyKey;

  useEffect(() => {
    if (opened?.id !== id || opened.historyKey !== historyKey || opened.returned) return;
    opened.returned = true;
    ref.current?.focus({ preventScroll: true });
  }, [ref, id, historyKey]);

  return {
    moves: isMoving && isOpened(),
    remember: () => {
      opened = { historyKey, id, returned: false };
    },
  };
}
