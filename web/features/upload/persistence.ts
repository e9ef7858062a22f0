import { isApiError } from '#contract/api-error.ts';
import type { Transfer } from './transfer.ts';

/** Thrown by work that stops because somebody pauses. */
export const pausing = new Error('Paused.');

const waits = [1000, 2000, 4000, 8000, 15_000, 30_000];
/** A server that answers, and answers that it cannot: so many times are enough. */
const mostFailures = 5;

/**
 * Does some work until it is done: after a lost connection again as soon as there is one, however long that takes, after
 * a pause when it is over. What the server refuses is thrown; so is what goes wrong there again and again.
 */
export async function persistently<T>(
  transfer: Transfer,
  /** Told `progressed` whenever it gets farther. */
  work: (progressed: () => void) => Promise<T>,
): Promise<T> {
  const { pause, signal, onWaiting } = transfer;
  let tries = 0;
  let failures = 0;
  const progressed = () => {
    tries = 0;
    failures = 0;
    onWaiting(false);
  };
  for (;;) {
    await pause.over(signal);
    try {
      const done = await work(progressed);
      onWaiting(false);
      return done;
    } catch (error) {
      if (error === pausing) continue;
      const isLost = isApiError(error) && error.code === 'offline';
      if (!isLost) failures += 1;
      if (signal.aborted || !(isLost || mayPass(error)) || failures >= mostFailures) throw error;
    }
    onWaiting(true);
    await connection(waits[Math.min(tries, waits.length - 1)] ?? 0, transfer);
    tries += 1;
  }
}

/** Words that are not our server's, and what it could not do now. */
const mayPass = (error: unknown) =>
  isApiError(error) && (error.status >= 500 || error.code === 'unavailable');

/** Waits a while, but no longer than until the browser is online again, somebody pauses, or cancels. */
function connection(milliseconds: number, { pause, signal }: Transfer): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, milliseconds);
    const stopListening = pause.onBegin(end);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
    function end() {
      clearTimeout(timer);
      stopListening();
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
