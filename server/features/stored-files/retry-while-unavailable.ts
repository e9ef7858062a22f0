import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '#server/platform/refusal.ts';

/** Time until the next attempt, in milliseconds. */
const pause = 2000;

/**
 * Does what needs the store, again and again while it does not answer, until `signal`: that the store is down says nothing
 * against a file, so that it uses up none of its tries.
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
