import { type MouseEvent, useCallback, useRef, useState } from 'react';
import { useDrag } from '#web/ui/use-drag.ts';
import { Clip } from './clip.tsx';
import type { PlayerSlide } from './preloaded-slides.ts';
import type { Sound } from './use-sound.ts';
import { useWheel } from './use-wheel.ts';

/** In heights of the screen, which the player fills; pixels per millisecond. */
const farEnough = 0.16;
const fastEnough = 0.45;

interface StageProps {
  slides: PlayerSlide[];
  paused: boolean;
  sound: Sound;
  /** The wheel works only while no dialog covers the stage. */
  active: boolean;
  move: (by: 1 | -1) => void;
  onTap: (event: MouseEvent) => void;
  onHeld: () => void;
  onStage: (video: HTMLVideoElement | null) => void;
  /** Called at the end of the video; without it, a video repeats. */
  onEnd: (() => void) | undefined;
}

/** The current video with its neighbours above and below. It handles swipes, the wheel and taps. */
export function Stage({ slides, paused, sound, active, move, onTap, onHeld, onStage, onEnd }: StageProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [enough, setEnough] = useState<ReadonlySet<string>>(new Set());
  const current = slides.find(({ offset }) => offset === 0)?.reel._id;
  // Only the newest ids are stored: the list may be long.
  const onEnough = useCallback(
    (id: string) => setEnough((all) => (all.has(id) ? all : new Set([...all].slice(-12)).add(id))),
    [],
  );
  const mayLoad = current !== undefined && enough.has(current);
  useDrag(ref, {
    axis: 'y',
    isEnough: (pixels, milliseconds) =>
      // The height of the window comes last: the browser lays the page out to answer.
      (pixels > 30 && pixels / Math.max(1, milliseconds) > fastEnough) || pixels > innerHeight * farEnough,
    move,
  });
  useWheel(ref, active, move);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same is done by the play button and by space
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same is done by the play button and by space
    <div ref={ref} onClick={onTap} className="stage absolute inset-0 touch-none overflow-hidden">
      <div className="stage-slides absolute inset-0">
        {slides.map((slide) => (
          <Clip
            key={slide.reel._id}
            {...slide}
            {...{ paused, mayLoad, sound, onHeld, onStage, onEnd, onEnough }}
          />
        ))}
      </div>
    </div>
  );
}
