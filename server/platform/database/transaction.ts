import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Runs in the transaction that `db` already is, else in a new one: a rule can so be one step of a larger transaction. */
export async function inTransaction<T>(
  db: Kysely<Tables> | Transaction<Tables>,
  run: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? await run(db as Transaction<Tables>) : await db.transaction().execute(run);
}

/** Reads all of it from one snapshot of the database, in a transaction that cannot write. */
export async function inSnapshot<T>(
  db: Kysely<Tables>,
  run: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(run);
}
