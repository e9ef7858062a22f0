import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '#server/platform/refusal.ts';

/** Time until the next attempt, in milliseconds. */
const pause = 2000;

/**
 * Retries an operation while the store does not answer, until `signal`: an unavailable store is no error of the file, and must not use up
 * its tries.
 */
export async function retryWhileUnavailable<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'unavailable') throw error;
      await sleep(pause, undefined, { signal });
    }
  }
}
