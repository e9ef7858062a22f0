import { setTimeout as sleep } from 'node:timers/promises';

interface Pace {
  /** How many are done at the same time in this process. */
  atOnce: number;
  /** Between two looks while nothing is due, in milliseconds. */
  pause: number;
}

/**
 * Does what is due until it is stopped; several processes share the work. `doNext` returns whether anything was due. A database that
 * does not answer is reported by its health check, so an error of `doNext` only waits for the next look.
 */
export function keepWorking(doNext: () => Promise<boolean>, { atOnce, pause }: Pace): () => Promise<void> {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      const wasDue = await doNext().catch(() => false);
      if (!wasDue)
        await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = Promise.all(Array.from({ length: atOnce }, run));
  return async () => {
    stopping.abort();
    await running;
  };
}
