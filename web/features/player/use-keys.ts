import { useEffect, useEffectEvent } from 'react';

export interface KeyActions {
  move: (by: 1 | -1) => void;
  seek: (seconds: number) => void;
  togglePause: () => void;
  toggleSound: () => void;
  /** Undefined if the reel has no captions. */
  toggleCaptions: (() => void) | undefined;
  leave: () => void;
}

/** Keyboard: up and down change the video, left and right seek, space pauses, M mutes, C toggles captions, Esc leaves. */
export function useKeys(active: boolean, actions: KeyActions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as Element;
    const onControl = target.closest('button, a, summary') !== null;
    const onSlider = target.closest('input') !== null;
    const action = {
      arrowdown: () => actions.move(1),
      arrowup: () => actions.move(-1),
      arrowright: onSlider ? undefined : () => actions.seek(5),
      arrowleft: onSlider ? undefined : () => actions.seek(-5),
      ' ': onControl ? undefined : actions.togglePause,
      m: actions.toggleSound,
      c: actions.toggleCaptions,
      escape: actions.leave,
    }[event.key.toLowerCase()];
    // The comments beside the video scroll by the same keys.
    const inColumn = target.closest('aside') !== null;
    if (!action || (inColumn && event.key !== 'Escape')) return;
    event.preventDefault();
    if (!event.repeat) action();
  });

  useEffect(() => {
    if (!active) return;
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [active]);
}
