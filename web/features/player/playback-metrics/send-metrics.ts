import { isApiError } from '#contract/api-error.ts';
import { type PlaybackFigure, sendPlaybackFigures } from '#contract/playback.ts';
import { call } from '#web/api.ts';
import { optsOutOfTracking } from '#web/do-not-track.ts';
import { storageKeys } from '#web/storage-keys.ts';

/** The size of one batch, and how many of the newest figures are stored at most. */
const batchSize = 20;
const maxStored = 100;

let sending = false;
/** Videos that are playing now; each function ends the measurement and returns its figures. */
const running = new Set<() => PlaybackFigure>();

/** Records the figures of one video when the returned function is called or the page is hidden. */
export function recordPlayback(end: () => PlaybackFigure): () => void {
  if (optsOutOfTracking()) return () => {};
  if (running.size === 0) document.addEventListener('visibilitychange', onHidden);
  running.add(end);
  return () => {
    if (!running.delete(end)) return;
    const figure = end();
    // Writing takes a while, and a swipe is waiting for its first frame.
    setTimeout(() => {
      if (store([...read(), figure]).length >= batchSize) void send();
    });
  };
}

/** A hidden page may never become visible again, so the figures are sent now. */
function onHidden(): void {
  if (document.visibilityState !== 'hidden') return;
  const ended = [...running].map((end) => end());
  running.clear();
  store([...read(), ...ended]);
  void send();
}

/** Sends the stored figures once each; figures that did not arrive are sent the next time. */
async function send(): Promise<void> {
  const figures = read();
  if (sending || figures.length === 0) return;
  sending = true;
  const [batch, rest] = [figures.slice(0, batchSize), figures.slice(batchSize)];
  store(rest);
  try {
    await call(sendPlaybackFigures, { body: { figures: batch } }, { keepalive: true });
  } catch (error) {
    // Errors are not shown, because visitors do not need the figures. Figures that the server refused are dropped.
    if (!isApiError(error) || error.status === 0 || error.status >= 500) store([...batch, ...read()]);
  } finally {
    sending = false;
  }
}

// Used if storage is forbidden.
let inMemory: PlaybackFigure[] = [];

function read(): PlaybackFigure[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKeys.playback) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return inMemory;
  }
}

function store(figures: PlaybackFigure[]): PlaybackFigure[] {
  inMemory = figures.slice(-maxStored);
  try {
    localStorage.setItem(storageKeys.playback, JSON.stringify(inMemory));
  } catch {
    // Storage is full or forbidden; the figures stay in memory.
  }
  return inMemory;
}
