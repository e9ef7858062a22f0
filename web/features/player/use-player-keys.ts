import { useKeys } from '#web/ui/use-keys.ts';

interface KeyActions {
  move: (by: 1 | -1) => void;
  seek: (seconds: number) => void;
  togglePause: () => void;
  toggleSound: () => void;
  /** Undefined if the reel has no captions. */
  toggleCaptions: (() => void) | undefined;
  leave: () => void;
}

/** Keyboard: up and down change the video, left and right seek, space pauses, M mutes, C toggles captions, Esc leaves. */
export function usePlayerKeys(active: boolean, { move, seek, leave, ...toggle }: KeyActions): void {
  useKeys(active, (target) => {
    // The comments beside the video scroll by the same keys.
    if (target.closest('aside')) return { escape: leave };
    const onControl = target.closest('button, a, summary') !== null;
    const onSlider = target.closest('input') !== null;
    return {
      arrowdown: () => move(1),
      arrowup: () => move(-1),
      arrowright: onSlider ? undefined : () => seek(5),
      arrowleft: onSlider ? undefined : () => seek(-5),
      ' ': onControl ? undefined : toggle.togglePause,
      m: toggle.toggleSound,
      c: toggle.toggleCaptions,
      escape: leave,
    };
  });
}
