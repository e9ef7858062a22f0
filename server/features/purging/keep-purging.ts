import type { FastifyBaseLogger } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '#server/platform/context.ts';
import { keepWorking } from '#server/platform/keep-working.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { type PurgeTarget, purgeNext, waitingPurges } from './purges.ts';

interface Parts extends Context<'db' | 'clock'> {
  logger: FastifyBaseLogger;
  metrics: Metrics;
  /** Milliseconds between two polls for due purges. */
  pause: number;
}

/** Sends due purges to external caches until it is stopped. Several processes share the work. */
export function keepPurging(
  { db, clock, logger, metrics, pause }: Parts,
  target: PurgeTarget,
): () => Promise<void> {
  const calls = new Counter({
    name: 'jhalak_purges_total',
    help: 'Calls of PURGE_URL by how they ended; given_up is after a year of trying',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  const purgeOne = async () => {
    const outcome = await purgeNext({ db, clock }, target, (error, addresses) =>
      logger.error({ err: error, addresses }, 'caches elsewhere could not be told'),
    );
    if (outcome) calls.inc({ outcome });
    return outcome !== undefined;
  };
  return keepWorking(purgeOne, { atOnce: 1, pause });
}

/** Exports the number and age of waiting purges; every process exports the same values. */
export function measurePurges({ db, clock }: Context<'db' | 'clock'>, metrics: Metrics): void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [metrics.registry] });
  const count = gauge('jhalak_purges_waiting', 'Calls of PURGE_URL that have not been answered well yet');
  const age = gauge('jhalak_purges_oldest_seconds', 'How long the oldest of them has waited');
  metrics.sample('purges', [count, age], async () => {
    const { count: all, since } = await waitingPurges(db);
    count.set(all);
    age.set(since ? Math.max(0, clock().getTime() - since.getTime()) / 1000 : 0);
  });
}
