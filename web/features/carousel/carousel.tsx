import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { useText } from '#web/text.tsx';
import { useDrag } from '#web/ui/use-drag.ts';
import { Slide } from './slide.tsx';
import { slides } from './slides.ts';
import { useRotation } from './use-rotation.ts';

/** Distance of a swipe to the next slide, in pixels (specification §9). */
const threshold = 50;

/** The banner of Home (specification §2, §9). It pauses while it is pointed at, touched or focused. */
export function Carousel() {
  const text = useText();
  const track = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState({ pointed: false, touched: false, focused: false });
  const { index, show, on, toggle } = useRotation(
    slides.length,
    held.pointed || held.touched || held.focused,
  );
  const pause = (by: Partial<typeof held>) => setHeld((now) => ({ ...now, ...by }));
  useDrag(track, {
    axis: 'x',
    mouse: true,
    onTouch: (touched) => pause({ touched }),
    isEnough: (pixels) => pixels >= threshold,
    move: (by) => show(index + by),
  });

  const moves = on && !held.focused;
  return (
    <section
      aria-roledescription={text('banner.carousel')}
      aria-label={text('banner.label')}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && pause({ pointed: true })}
      onPointerLeave={() => pause({ pointed: false })}
      onFocus={({ target }) => target.matches(':focus-visible') && pause({ focused: true })}
      onBlur={({ currentTarget, relatedTarget }) =>
        !currentTarget.contains(relatedTarget) && pause({ focused: false })
      }
      onKeyDown={({ key }) => {
        if (key === 'ArrowRight') show(index + 1);
        if (key === 'ArrowLeft') show(index - 1);
      }}
      className="on-night relative h-37 overflow-hidden rounded-panel bg-night text-night-text lg:h-45"
    >
      <div
        ref={track}
        aria-live={moves ? 'off' : 'polite'}
        className="slide-track grid h-full touch-pan-y select-none"
      >
        {slides.map((slide, position) => (
          <Slide
            key={slide.title}
            {...slide}
            offset={offsetOf(position, index)}
            label={text('banner.place', { place: position + 1, count: slides.length })}
          />
        ))}
      </div>
      <div className="needs-script absolute inset-x-0 bottom-0 flex items-center justify-between px-3 sm:justify-end sm:px-5 lg:px-10">
        <div className="flex">
          {slides.map(({ title }, position) => (
            <button
              key={title}
              type="button"
              aria-label={text('banner.show', { place: position + 1, count: slides.length })}
              aria-current={position === index || undefined}
              onClick={() => show(position)}
              className="group grid h-11 w-8 place-items-center"
            >
              <span className="block h-2 w-2 rounded-full bg-night-soft transition-[width,background-color] duration-500 group-hover:bg-night-text group-aria-current:w-6 group-aria-current:bg-marigold" />
            </button>
          ))}
        </div>
        <button
          type="button"
          aria-label={text(on ? 'banner.pause' : 'banner.play')}
          title={text(on ? 'banner.pause' : 'banner.play')}
          onClick={toggle}
          className="grid size-11 place-items-center rounded-full text-night-soft hover:text-night-text"
        >
          {on ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
        </button>
      </div>
    </section>
  );
}

/** Position of a slide in the ring relative to the current one: at most two to either side. */
function offsetOf(position: number, index: number): number {
  const half = Math.floor(slides.length / 2);
  return ((position - index + half + slides.length) % slides.length) - half;
}
