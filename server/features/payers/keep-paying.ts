import type { FastifyBaseLogger } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '#server/platform/context.ts';
import { keepWorking } from '#server/platform/keep-working.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import type { ApiPayer } from '../payer-services/payer.ts';
import { countOpenAttempts } from '../withdrawals/attempts.ts';
import { claimNext, type PayingContext, payOne } from './paying.ts';

interface KeepPayingContext extends PayingContext {
  logger: FastifyBaseLogger;
  metrics: Metrics;
}

/** In milliseconds. */
const pause = 1000;
/** Parallel attempts in one process: RazorpayX allows at most five to ten requests a second. */
const atOnce = 2;

/** Pays what was sent to a payer with an API, and polls the outcome, until it is stopped; several processes share the work. */
export function keepPaying(context: KeepPayingContext, payer: ApiPayer): () => Promise<void> {
  const { logger, metrics } = context;
  const total = new Counter({
    name: 'jhalak_payout_tries_total',
    help: 'Tries to pay by the API of a payer or to ask it what became of a payment, by what it said; unknown: it did not answer',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  const warn = (error: unknown, which: object) =>
    logger.warn({ err: error, ...which }, 'the payer has not done what it was asked');
  const claim = async () => {
    const attempt = await claimNext(context, payer);
    // If the database does not answer, another worker takes the attempt later.
    return (
      attempt && { run: async () => total.inc({ outcome: await payOne(context, payer, attempt, warn) }) }
    );
  };
  return keepWorking(claim, { atOnce, pause });
}

/** Every process reports the same values. */
export function measurePayouts({ db, clock }: Context<'db' | 'clock'>, metrics: Metrics): void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['state'], registers: [metrics.registry] });
  const count = gauge(
    'jhalak_payouts_open',
    'Payments that a payer with an API was given, by state; unknown: nobody knows whether it has them',
  );
  const age = gauge('jhalak_payouts_oldest_seconds', 'How long ago the oldest of them was sent');
  metrics.sample('payouts', [count, age], async () => {
    const now = clock().getTime();
    const rows = await countOpenAttempts(db);
    for (const state of ['sent', 'unknown']) {
      const row = rows.find((open) => open.state === state);
      count.set({ state }, row?.count ?? 0);
      age.set({ state }, row ? Math.max(0, now - row.since.getTime()) / 1000 : 0);
    }
  });
}
