import { setTimeout as sleep } from 'node:timers/promises';

interface Pace {
  /** How many run in parallel in this process. */
  atOnce: number;
  /** Milliseconds between two polls while nothing is due. */
  pause: number;
}

/**
 * Does due work until it is stopped; several processes share the work. `doNext` returns whether any was due. An error of the database is
 * reported by its health check, so an error of `doNext` only waits for the next poll.
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
