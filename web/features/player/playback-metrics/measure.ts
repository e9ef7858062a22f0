import type { PlaybackFigure } from '#contract/playback.ts';

/** The part of `HTMLVideoElement` that is measured. */
export interface MeasurableVideo extends EventTarget {
  readonly paused: boolean;
  readonly seeking: boolean;
  readonly currentTime: number;
  requestVideoFrameCallback?: (callback: () => void) => number;
  cancelVideoFrameCallback?: (handle: number) => void;
}

interface PlaybackOptions {
  /** The time, on the clock of `now`, at which the video was requested. */
  since: number;
  rendition: PlaybackFigure['rendition'];
  now: () => number;
}

const events = ['playing', 'waiting', 'pause'] as const;

/**
 * Measures the playback of one video from now on. The returned function ends the measurement and returns its figures; call it
 * once. Waiting before the first frame, while seeking or after a pause does not count as a stall.
 */
export function measurePlayback(
  video: MeasurableVideo,
  { since, rendition, now }: PlaybackOptions,
): () => PlaybackFigure {
  let firstFrame: number | undefined;
  let playingSince: number | undefined;
  let drySince: number | undefined;
  let [stalls, stalledFor, watchedFor] = [0, 0, 0];

  const seen = () => {
    firstFrame ??= now() - since;
  };
  const settle = () => {
    if (playingSince !== undefined) watchedFor += now() - playingSince;
    if (drySince !== undefined) stalledFor += now() - drySince;
    playingSince = undefined;
    drySince = undefined;
  };
  const follow = ({ type }: Event) => {
    settle();
    if (type === 'playing') {
      // Without requestVideoFrameCallback, the `playing` event counts as the first frame.
      if (!video.requestVideoFrameCallback) seen();
      playingSince = now();
    }
    if (type === 'waiting' && firstFrame !== undefined && !video.seeking && !video.paused) {
      stalls += 1;
      drySince = now();
    }
  };
  for (const name of events) video.addEventListener(name, follow);
  const frame = video.requestVideoFrameCallback?.(seen);
  // The video may have started before hydration.
  if (!video.paused && video.currentTime > 0) {
    seen();
    playingSince = now();
  }

  return () => {
    settle();
    for (const name of events) video.removeEventListener(name, follow);
    if (frame !== undefined) video.cancelVideoFrameCallback?.(frame);
    return {
      firstFrameMs: firstFrame === undefined ? null : whole(firstFrame, 120_000),
      stalls: Math.min(stalls, 1000),
      stalledMs: whole(stalledFor, 3_600_000),
      watchedMs: whole(watchedFor, 86_400_000),
      rendition,
    };
  };
}

const whole = (milliseconds: number, most: number) => Math.min(Math.max(0, Math.round(milliseconds)), most);
