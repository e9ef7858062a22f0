/** The part of `HTMLVideoElement` that is measured. */
export interface WatchableVideo extends EventTarget {
  readonly currentTime: number;
  readonly duration: number;
  readonly paused: boolean;
}

interface WatchOptions {
  /** Seconds that must be played. */
  seconds: number;
  /** Whether the tab and half of the picture are visible now. */
  isVisible: () => boolean;
  onWatched: (seconds: number) => void;
  /** In milliseconds. */
  now?: () => number;
}

/**
 * A video may advance this many seconds more than the clock: on a busy device its position is reported late, and then twice
 * in quick succession. A larger step is a jump, which does not count.
 */
const tolerance = 0.5;

/**
 * Sums up how far a video plays from now on, and calls `onWatched` once it is enough. During a stall or a pause the position does
 * not move, so the sum stays as it is. Returns a function that stops the measurement.
 */
export function measureWatching(
  video: WatchableVideo,
  { seconds, isVisible, onWatched, now = () => performance.now() }: WatchOptions,
): () => void {
  let last = video.currentTime;
  let lastAt = now();
  let watched = 0;
  const follow = () => {
    const { currentTime, duration } = video;
    const moved = currentTime - last;
    // A looping video starts again at its beginning.
    const step = moved < 0 ? moved + duration : moved;
    const at = now();
    const passed = (at - lastAt) / 1000;
    [last, lastAt] = [currentTime, at];
    if (!(step > 0 && step <= passed + tolerance) || !isVisible()) return;
    watched += step;
    if (watched < seconds) return;
    stop();
    onWatched(watched);
  };
  // A looping video seeks its beginning during playback. After a pause so much time has passed that a jump would look like playback.
  const jump = () => {
    if (!video.paused && video.currentTime < last) follow();
    [last, lastAt] = [video.currentTime, now()];
  };
  const stop = () => {
    video.removeEventListener('timeupdate', follow);
    video.removeEventListener('seeking', jump);
  };
  video.addEventListener('timeupdate', follow);
  video.addEventListener('seeking', jump);
  return stop;
}
