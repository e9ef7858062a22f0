import { isApiError } from '#contract/api-error.ts';
import { type PlaybackFigure, tellPlayback } from '#contract/playback.ts';
import { call } from '#web/api.ts';
import { optsOutOfTracking } from '#web/do-not-track.ts';

/** So many are sent together, and so many are kept at most: the newest. */
const atOnce = 20;
const atMost = 100;
const name = 'playback';

let sending = false;
/** Showings of this moment: each ends and tells how it went. */
const underWay = new Set<() => PlaybackFigure>();

/** Notes how one showing of a video goes, from now until the returned function is called or the page is put away. */
export function noteShowing(end: () => PlaybackFigure): () => void {
  if (optsOutOfTracking()) return () => {};
  if (underWay.size === 0) document.addEventListener('visibilitychange', putAway);
  underWay.add(end);
  return () => {
    if (!underWay.delete(end)) return;
    const kept = keep([...read(), end()]);
    if (kept.length >= atOnce) void send();
  };
}

/** Whoever leaves a page may never come back to it: what is known is sent now. */
function putAway(): void {
  if (document.visibilityState !== 'hidden') return;
  const ended = [...underWay].map((end) => end());
  underWay.clear();
  keep([...read(), ...ended]);
  void send();
}

/** Sends what is kept, once each; what did not arrive waits for the next time. */
async function send(): Promise<void> {
  const figures = read();
  if (sending || figures.length === 0) return;
  sending = true;
  const [batch, rest] = [figures.slice(0, atOnce), figures.slice(atOnce)];
  keep(rest);
  try {
    await call(tellPlayback, { body: { figures: batch } }, { keepalive: true });
  } catch (error) {
    // Figures are a courtesy: nobody is told. What the server would not take it will not take the next time.
    if (!isApiError(error) || error.status === 0 || error.status >= 500) keep([...batch, ...read()]);
  } finally {
    sending = false;
  }
}

// Where storage is forbidden they live as long as the page.
let inMemory: PlaybackFigure[] = [];

function read(): PlaybackFigure[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return inMemory;
  }
}

function keep(figures: PlaybackFigure[]): PlaybackFigure[] {
  inMemory = figures.slice(-atMost);
  try {
    localStorage.setItem(name, JSON.stringify(inMemory));
  } catch {
    // They are in memory.
  }
  return inMemory;
}
