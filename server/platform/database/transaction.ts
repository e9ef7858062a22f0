import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Uses `db` if it is a transaction, else begins a new one, so that a rule can be a step of a larger transaction. */
export async function inTransaction<T>(
  db: Kysely<Tables> | Transaction<Tables>,
  run: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? await run(db as Transaction<Tables>) : await db.transaction().execute(run);
}

/** Runs in a read-only transaction that sees one snapshot of the database. */
export async function inSnapshot<T>(
  db: Kysely<Tables>,
  run: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(run);
}
