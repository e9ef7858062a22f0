import { expect, it } from 'vitest';
import { measurePlayback } from './measure.ts';

/** A fake video, and a clock that the test advances. */
function stage({ tellsFrames = true } = {}) {
  const clock = { now: 1000 };
  let onFrame: (() => void) | undefined;
  const video = Object.assign(new EventTarget(), {
    paused: true,
    seeking: false,
    currentTime: 0,
    ...(tellsFrames
      ? {
          requestVideoFrameCallback(callback: () => void) {
            onFrame = callback;
            return 1;
          },
          cancelVideoFrameCallback() {
            onFrame = undefined;
          },
        }
      : {}),
  });
  const end = measurePlayback(video, { since: 1000, rendition: 540, now: () => clock.now });
  return {
    video,
    end,
    after: (milliseconds: number, event?: 'playing' | 'waiting' | 'pause' | 'frame') => {
      clock.now += milliseconds;
      if (event === 'frame') onFrame?.();
      else if (event) {
        video.paused = event === 'pause';
        video.dispatchEvent(new Event(event));
      }
    },
  };
}

it('reports the time to the first frame, the number and length of stalls, and the time watched', () => {
  const { end, after } = stage();
  after(100, 'waiting');
  after(150, 'playing');
  after(50, 'frame');
  after(1000, 'frame');
  after(950, 'waiting');
  after(400, 'playing');
  after(500, 'waiting');
  after(100, 'playing');
  after(250);
  expect(end()).toEqual({ firstFrameMs: 300, stalls: 2, stalledMs: 500, watchedMs: 2750, rendition: 540 });
});

it('does not count pausing or seeking as a stall', () => {
  const { video, end, after } = stage();
  after(0, 'playing');
  after(10, 'frame');
  after(1000, 'pause');
  after(5000, 'playing');
  video.seeking = true;
  after(500, 'waiting');
  video.seeking = false;
  after(300, 'playing');
  expect(end()).toMatchObject({ stalls: 0, stalledMs: 0, watchedMs: 1510 });
});

it('counts a stall that had not ended when the video was left', () => {
  const { end, after } = stage();
  after(0, 'playing');
  after(10, 'frame');
  after(90, 'waiting');
  after(2000);
  expect(end()).toMatchObject({ stalls: 1, stalledMs: 2000, watchedMs: 100 });
});

it('reports no first frame when the video was left before one', () => {
  const { end, after } = stage();
  after(700, 'waiting');
  after(700);
  expect(end()).toEqual({ firstFrameMs: null, stalls: 0, stalledMs: 0, watchedMs: 0, rendition: 540 });
});

it('uses the start of playback when the browser does not report frames', () => {
  const { end, after } = stage({ tellsFrames: false });
  after(120, 'playing');
  expect(end().firstFrameMs).toBe(120);
});

it('ignores events after the measurement has ended', () => {
  const { end, after } = stage();
  after(0, 'playing');
  end();
  after(1000, 'waiting');
  after(1000, 'frame');
  expect(end()).toMatchObject({ firstFrameMs: null, stalls: 0, watchedMs: 0 });
});

it('limits the figures to the ranges of the contract', () => {
  const { end, after } = stage({ tellsFrames: false });
  after(10 ** 9, 'playing');
  after(10 ** 9, 'waiting');
  after(10 ** 9);
  expect(end()).toMatchObject({ firstFrameMs: 120_000, stalledMs: 3_600_000, watchedMs: 86_400_000 });
});
