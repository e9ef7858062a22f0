import { sql, type Transaction } from 'kysely';
import { Counter, Gauge } from 'prom-client';
import type { Context } from './context.ts';
import type { Tables } from './database/tables.ts';
import { inTransaction } from './database/transaction.ts';
import { keepWorking } from './keep-working.ts';
import type { Metrics } from './metrics.ts';

/*
 * The outbox of the site: what is to be sent is a row, inserted in the transaction of its reason, which a worker sends afterwards
 * (docs/decisions/0085-one-outbox.md). Rows survive a crash, and are sent at least once.
 */

/** A table of rows to be sent. Rows that are done are deleted, or have the time in `done_at`. */
type DeliveryTable = 'mails' | 'pushes' | 'purges';

interface Row {
  id: string;
  tries: number;
  created_at: Date;
}

/** Rows that are sent together. */
export interface Batch {
  rows: readonly Row[];
  /** Where it is sent: a host that does not answer delays only its own. */
  lane?: string;
}

/** What is sent from one table, and how it is retried. */
export interface Delivery<Sent extends Batch, Outcome extends string> {
  table: DeliveryTable;
  /** Explains the outcomes in the metrics. */
  help: string;
  /** How many are sent at once in this process, and how many of them in one lane. */
  atOnce: number;
  perLane?: number;
  /** Longer than one try may take, in milliseconds. After this time another worker retries the rows of a killed one. */
  claimFor: number;
  /** Locks the rows that are sent next: those that have been due for longest, except in these lanes. */
  lockDue(trx: Transaction<Tables>, now: Date, fullLanes: readonly string[]): Promise<Sent | undefined>;
  /** Returns the outcome. If it throws, the rows are retried. */
  send(batch: Sent, now: Date): Promise<Outcome>;
  /** Reports an error, which may also end the delivery: then it returns its outcome. */
  failed(error: unknown, batch: Sent, now: Date): Outcome | undefined;
  /** Milliseconds until the next try, after so many. */
  pauseAfter(tries: number, age: number, error: unknown): number;
  /** Milliseconds after which a row is given up. */
  lifetimeOf(row: Sent['rows'][number]): number;
  /** Deletes rows, or marks them as done. */
  end(ids: readonly string[], outcome: Outcome | 'given_up', now: Date): Promise<void>;
}

/** A pause that doubles with each try. */
export const doubling = (first: number, longest: number) => (tries: number) =>
  Math.min(first * 2 ** Math.min(tries - 1, 20), longest);

/** Claims what is due first, so that no other worker takes it; undefined if nothing is due. */
export async function claimDelivery<Sent extends Batch>(
  { db, clock }: Context<'db' | 'clock'>,
  { table, claimFor, lockDue }: Pick<Delivery<Sent, string>, 'table' | 'claimFor' | 'lockDue'>,
  fullLanes: readonly string[] = [],
): Promise<Sent | undefined> {
  const now = clock();
  // Most polls find nothing. Without a transaction they are one statement and not three.
  const isOpen = table === 'pushes' ? sql`true` : sql`done_at is null`;
  const { rows: due } = await sql`
    select 1 from ${sql.table(table)} where ${isOpen} and next_try_at <= ${now} limit 1`.execute(db);
  if (due.length === 0) return undefined;
  return await inTransaction(db, async (trx) => {
    const batch = await lockDue(trx, now, fullLanes);
    if (!batch) return undefined;
    await sql`
      update ${sql.table(table)} set tries = tries + 1, next_try_at = ${new Date(now.getTime() + claimFor)}
      where id = any(${idsOf(batch.rows)}::uuid[])`.execute(trx);
    return batch;
  });
}

/** Sends what was claimed, and returns the outcome. */
export async function deliver<Sent extends Batch, Outcome extends string>(
  { db, clock }: Context<'db' | 'clock'>,
  delivery: Delivery<Sent, Outcome>,
  batch: Sent,
): Promise<Outcome | 'failed' | 'given_up'> {
  const { table, end } = delivery;
  const now = clock();
  const { rows } = batch;
  try {
    const outcome = await delivery.send(batch, now);
    await end(idsOf(rows), outcome, now);
    return outcome;
  } catch (error) {
    const final = delivery.failed(error, batch, now);
    const ageOf = (row: Row) => now.getTime() - row.created_at.getTime();
    const left = final ? [] : rows.filter((row) => ageOf(row) <= delivery.lifetimeOf(row));
    const over = rows.filter((row) => !left.includes(row));
    if (over.length > 0) await end(idsOf(over), final ?? 'given_up', now);
    if (left.length === 0) return final ?? 'given_up';
    const tries = 1 + Math.min(...left.map((row) => row.tries));
    const pause = delivery.pauseAfter(tries, Math.max(...left.map(ageOf)), error);
    await sql`
      update ${sql.table(table)} set next_try_at = ${new Date(now.getTime() + pause)}
      where id = any(${idsOf(left)}::uuid[])`.execute(db);
    return 'failed';
  }
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

interface DeliveryContext extends Context<'db' | 'clock'> {
  metrics: Metrics;
  /** Milliseconds between two polls while nothing is due. */
  pause: number;
}

/** Sends what is due until it is stopped; several processes share the work. */
export function keepDelivering<Sent extends Batch, Outcome extends string>(
  { metrics, pause, ...context }: DeliveryContext,
  delivery: Delivery<Sent, Outcome>,
): () => Promise<void> {
  const { table, help, atOnce, perLane } = delivery;
  const total = new Counter({
    name: `jhalak_${table}_total`,
    help,
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  const claim = async (fullLanes: readonly string[]) => {
    const batch = await claimDelivery(context, delivery, fullLanes);
    if (!batch) return undefined;
    const run = async () => total.inc({ outcome: await deliver(context, delivery, batch) });
    return { run, ...(batch.lane ? { lane: batch.lane } : {}) };
  };
  return keepWorking(claim, { atOnce, pause, ...(perLane ? { perLane } : {}) });
}

/** Exports how many rows of a table are due, and for how long; every process exports the same values. */
export function measureDeliveries(
  { db, clock }: Context<'db' | 'clock'>,
  metrics: Metrics,
  { table, help }: { table: 'mails' | 'purges'; help: string },
): void {
  const gauge = (name: string, said: string) =>
    new Gauge({ name: `jhalak_${table}_${name}`, help: said, registers: [metrics.registry] });
  const count = gauge('waiting', help);
  const age = gauge('oldest_seconds', 'How long the oldest of them has waited');
  metrics.sample(table, [count, age], async () => {
    const now = clock();
    const { rows } = await sql<{ count: number; since: Date | null }>`
      select count(*)::integer as count, min(created_at) as since from ${sql.table(table)}
      where done_at is null and (tries > 0 or next_try_at <= ${now})`.execute(db);
    count.set(rows[0]?.count ?? 0);
    const since = rows[0]?.since;
    age.set(since ? Math.max(0, now.getTime() - since.getTime()) / 1000 : 0);
  });
}
