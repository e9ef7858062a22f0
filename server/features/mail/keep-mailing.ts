import type { FastifyBaseLogger } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '#server/platform/context.ts';
import { keepWorking } from '#server/platform/keep-working.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import * as queries from './mails.queries.ts';
import { type MailContext, sendNext } from './sending.ts';
import { openTransport } from './transport.ts';

interface Parts extends MailContext {
  logger: FastifyBaseLogger;
  metrics: Metrics;
  /** Milliseconds between two polls for due mails. */
  pause: number;
}

/** How many mails are sent at once, so that a slow mail server does not delay the others. */
const atOnce = 2;

/** Sends the mails of the outbox until it is stopped; several processes share the work. */
export function keepMailing(context: Parts, mail: { url: string; from: string }): () => Promise<void> {
  const { logger, metrics, pause } = context;
  const total = new Counter({
    name: 'jhalak_mails_total',
    help: 'Mails by how a try to send them ended; dropped: nobody has the address',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  const transport = openTransport(mail);
  const warn = (error: unknown, which: object) =>
    logger.warn({ err: error, ...which }, 'a mail was not sent');
  const sendOne = async () => {
    const outcome = await sendNext(context, transport, warn);
    if (outcome) total.inc({ outcome });
    return outcome !== undefined;
  };
  const end = keepWorking(sendOne, { atOnce, pause });
  return async () => {
    await end();
    transport.close();
  };
}

/** Every process reports the same values. */
export function measureMails({ db, clock }: Context<'db' | 'clock'>, metrics: Metrics): void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [metrics.registry] });
  const count = gauge('jhalak_mails_waiting', 'Mails that are due and not sent yet');
  const age = gauge('jhalak_mails_oldest_seconds', 'How long the oldest of them has waited');
  metrics.sample('mails', [count, age], async () => {
    const now = clock();
    const { count: all, since } = await queries.waiting(db, now);
    count.set(all);
    age.set(since ? Math.max(0, now.getTime() - since.getTime()) / 1000 : 0);
  });
}
