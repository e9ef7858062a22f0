import type { PlaybackFigure } from '#contract/playback.ts';

/** What of a video is watched; an `HTMLVideoElement` is one. */
export interface Watched extends EventTarget {
  readonly paused: boolean;
  readonly seeking: boolean;
  readonly currentTime: number;
  requestVideoFrameCallback?: (callback: () => void) => number;
  cancelVideoFrameCallback?: (handle: number) => void;
}

interface Showing {
  /** Milliseconds on the clock of `now` at which it was wanted. */
  since: number;
  rendition: PlaybackFigure['rendition'];
  now: () => number;
}

const events = ['playing', 'waiting', 'pause'] as const;

/**
 * Measures one showing of a video from now on. What comes back ends it and tells how it went; to be called once. Waiting
 * before the first picture, while somebody winds, or after a pause is no stall.
 */
export function measureShowing(video: Watched, { since, rendition, now }: Showing): () => PlaybackFigure {
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
      // A browser that does not tell of frames shows one about now.
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
  // It may play already, from before the page's script.
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
