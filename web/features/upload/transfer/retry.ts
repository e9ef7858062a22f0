import { isApiError } from '#contract/api-error.ts';
import type { Transfer } from './transfer.ts';

/** Thrown by work that stops because the person paused the upload. */
export const pausedSignal = new Error('Paused.');

const waits = [1000, 2000, 4000, 8000, 15_000, 30_000];
/** After this many errors of the server in a row the upload fails. */
const maxFailures = 5;

/**
 * Runs work until it succeeds. A lost connection is retried without limit, as soon as the browser is online again; a pause
 * is waited for. An error that a retry cannot cure is thrown, and so is the server's fifth failure in a row.
 */
export async function withRetry<T>(
  transfer: Transfer,
  /** Calls `progressed` whenever bytes arrive, which resets the delay and the count of failures. */
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
      if (error === pausedSignal) continue;
      const isLost = isApiError(error) && error.code === 'offline';
      if (!isLost) failures += 1;
      if (signal.aborted || !(isLost || isTransient(error)) || failures >= maxFailures) throw error;
    }
    onWaiting(true);
    await delay(waits[Math.min(tries, waits.length - 1)] ?? 0, transfer);
    tries += 1;
  }
}

/** Errors that a retry may cure. */
const isTransient = (error: unknown) =>
  isApiError(error) && (error.status >= 500 || error.code === 'unavailable');

/** Waits for the delay, but ends early when the browser comes online or the person pauses or cancels. */
function delay(milliseconds: number, { pause, signal }: Transfer): Promise<void> {
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
