import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { DatabaseUnresponsive } from './availability.ts';
import { lockNameOfSession, shareNames, unlockNameOfSession } from './locks.ts';
import type { Tables } from './tables.ts';

/* Where the tables are that can be spread over a cluster: whoever writes to them keeps them there, and who moves them keeps writers out. */

/**
 * Locks: two that all who write to these tables share, so that a command can refuse them or let them wait; of the command that moves tables; and of its
 * connection while Citus copies a table.
 */
export const [returning, places, moving, copying] = [
  'tables come back',
  'places of tables',
  'moving tables',
  'copying a table',
];

/** Transactions that hold the locks already: one that stores a like, a count and a notification asks once. */
const keeping = new WeakSet<Transaction<Tables>>();

/**
 * Keeps all tables where they are until the transaction ends. Whoever inserts into a table that can be spread calls it before: an insert of
 * several rows fails, or inserts nothing without an error, if Citus spreads the table while it waits. Waits at most five seconds for a table that is
 * being moved, and not at all for one that is brought back, which takes long: connections are then free for what reads. Fails like any statement while
 * the database is not available.
 */
export async function keepTablesInPlace(trx: Transaction<Tables>): Promise<void> {
  if (keeping.has(trx)) return;
  if (!(await shareNames(trx, [returning, places], 5))) throw new DatabaseUnresponsive();
  keeping.add(trx);
}

/** Keeps all writers out by one of their locks for a statement; returns for how many seconds. It waits for others five seconds at most. */
export async function withoutWriters(
  mover: Kysely<Tables>,
  lock: string,
  statement: RawBuilder<unknown>,
): Promise<number> {
  const began = performance.now();
  await sql`set lock_timeout = '5s'`.execute(mover);
  await lockNameOfSession(mover, lock);
  try {
    await statement.execute(mover);
  } finally {
    await unlockNameOfSession(mover, lock);
    await sql`set lock_timeout = 0`.execute(mover);
  }
  return secondsSince(began);
}

export const secondsSince = (began: number) => (performance.now() - began) / 1000;
