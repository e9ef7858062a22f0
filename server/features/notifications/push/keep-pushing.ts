import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Counter } from 'prom-client';
import type { Context } from '#server/platform/context.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import type { Due } from './push.queries.ts';
import { claimNext, pushOne, type Services } from './sending.ts';

interface Parts extends Context<'db' | 'clock' | 'keyring'> {
  logger: FastifyBaseLogger;
  metrics: Metrics;
  /** Milliseconds between two polls for due messages. */
  pause: number;
}

/** Parallel messages in one process, and how many of them to one push service, so that one that does not answer cannot block the others. */
const [atOnce, atOneHost] = [12, 4];

/** Sends push messages until it is stopped; several processes share the work. */
export function keepPushing(context: Parts, services: Services): () => Promise<void> {
  const { logger, metrics, pause } = context;
  const total = new Counter({
    name: 'jhalak_pushes_total',
    help: 'Push messages by how a try to send them ended; dropped: read, or no service; ended: the device is gone; refused: the push service takes it at no time',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  const stopping = new AbortController();
  const warn = (error: unknown, which: object) =>
    logger.warn({ err: error, ...which }, 'a push message was not sent');
  const underWay = new Map<Promise<void>, string>();
  const fullHosts = () => {
    const hosts = [...underWay.values()];
    return [...new Set(hosts)].filter((host) => hosts.filter((one) => one === host).length >= atOneHost);
  };
  const begin = (due: Due) => {
    const sending = pushOne(context, services, due, warn)
      .then((outcome) => total.inc({ outcome }))
      // The database failed; its health check reports it, and another worker retries.
      .catch(() => undefined)
      .finally(() => underWay.delete(sending));
    underWay.set(sending, due.host);
  };
  const wait = () => sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  const run = async () => {
    while (!stopping.signal.aborted) {
      if (underWay.size >= atOnce) {
        await Promise.race(underWay.keys());
        continue;
      }
      const due = await claimNext(context, fullHosts()).catch(() => undefined);
      if (due) begin(due);
      else await wait();
    }
    await Promise.all(underWay.keys());
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
