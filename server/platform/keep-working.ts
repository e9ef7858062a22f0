import { setTimeout as sleep } from 'node:timers/promises';

interface Pace {
  /** How many run in parallel in this process, and how many of them in one lane. */
  atOnce: number;
  perLane?: number;
  /** Milliseconds between two polls while nothing is due. */
  pause: number;
}

/** Work that was claimed, and where it is done. */
export interface Claimed {
  run(): Promise<unknown>;
  lane?: string;
}

/**
 * Does due work until it is stopped; several processes share the work. `claim` takes the next of it, except in full lanes. An error of the
 * database is reported by its health check, so an error only waits for the next poll.
 */
export function keepWorking(
  claim: (fullLanes: readonly string[]) => Promise<Claimed | undefined>,
  { atOnce, perLane = atOnce, pause }: Pace,
): () => Promise<void> {
  const stopping = new AbortController();
  const underWay = new Map<Promise<unknown>, string | undefined>();
  const fullLanes = () => {
    const lanes = [...underWay.values()].filter((lane) => lane !== undefined);
    return [...new Set(lanes)].filter((lane) => lanes.filter((other) => other === lane).length >= perLane);
  };
  const begin = ({ run, lane }: Claimed) => {
    const running = run()
      .catch(() => undefined)
      .finally(() => underWay.delete(running));
    underWay.set(running, lane);
  };
  const wait = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  const work = async () => {
    // What starts at the same time does not poll at the same time, each on a connection of its own.
    await wait(Math.random() * pause);
    while (!stopping.signal.aborted) {
      if (underWay.size >= atOnce) {
        await Promise.race(underWay.keys());
        continue;
      }
      const claimed = await claim(fullLanes()).catch(() => undefined);
      if (claimed) begin(claimed);
      else await wait(pause);
    }
    await Promise.all(underWay.keys());
  };
  const working = work();
  return async () => {
    stopping.abort();
    await working;
  };
}
