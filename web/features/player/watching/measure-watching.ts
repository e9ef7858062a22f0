/** The part of `HTMLVideoElement` that is measured. */
export interface WatchableVideo extends EventTarget {
  readonly currentTime: number;
  readonly duration: number;
  readonly paused: boolean;
}

interface WatchOptions {
  /** Seconds that must play. */
  seconds: number;
  /** Whether the tab and half of the picture are visible now. */
  isVisible: () => boolean;
  onWatched: (seconds: number) => void;
  /** In milliseconds. */
  now?: () => number;
}

/**
 * By how many seconds a video may get further than time passed: reports of its position come late on a busy device, and then two
 * of them close together. More is a jump and not play.
 */
const tolerance = 0.5;

/**
 * Adds up how far a video plays from now on, and calls `onWatched` once it is enough. While it stalls or is paused its
 * position does not move, so that neither counts, and neither starts the count again. Returns a function that stops.
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
    // A video that loops begins again.
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
  // A video that loops seeks its beginning while it plays. After a pause there is time enough for a jump to look like play.
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
