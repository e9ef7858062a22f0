import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchBuffering } from './use-buffering.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The parts of a video element that tell whether it waits; `HAVE_FUTURE_DATA` has the browser's value. */
const playing = { paused: false, error: null, readyState: 4, HAVE_FUTURE_DATA: 3 };

function watched() {
  const video = Object.assign(new EventTarget(), playing);
  let shown: boolean | undefined;
  const end = watchBuffering(video as unknown as HTMLVideoElement, (waits) => {
    shown = waits;
  });
  const become = (state: Partial<typeof playing>, event: string) => {
    Object.assign(video, state);
    video.dispatchEvent(new Event(event));
  };
  return { become, end, isShown: () => shown };
}

describe('the loading indicator of the player', () => {
  it('appears 300 ms after a video began to wait for data', () => {
    const { become, isShown } = watched();
    become({ readyState: 2 }, 'waiting');
    vi.advanceTimersByTime(299);
    expect(isShown()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isShown()).toBe(true);
  });

  it('appears at that time also if more events arrive meanwhile', () => {
    const { become, isShown } = watched();
    become({ readyState: 2 }, 'waiting');
    vi.advanceTimersByTime(200);
    become({ readyState: 1 }, 'seeking');
    vi.advanceTimersByTime(100);
    expect(isShown()).toBe(true);
  });

  it('does not appear for a shorter wait, and a later wait has its own 300 ms', () => {
    const { become, isShown } = watched();
    become({ readyState: 2 }, 'waiting');
    vi.advanceTimersByTime(299);
    become({ readyState: 4 }, 'canplay');
    vi.advanceTimersByTime(10_000);
    expect(isShown()).toBe(false);
    become({ readyState: 2 }, 'waiting');
    vi.advanceTimersByTime(299);
    expect(isShown()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isShown()).toBe(true);
  });

  it('disappears when the video continues, is paused, or is replaced by another one', () => {
    for (const act of [
      ({ become }) => become({ readyState: 4 }, 'playing'),
      ({ become }) => become({ paused: true }, 'pause'),
      ({ end }) => end(),
    ] satisfies ((one: ReturnType<typeof watched>) => void)[]) {
      const one = watched();
      one.become({ readyState: 2 }, 'waiting');
      vi.advanceTimersByTime(300);
      expect(one.isShown()).toBe(true);
      act(one);
      expect(one.isShown()).toBe(false);
    }
  });
});
