import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Runs in the transaction that `db` already is, else in one of its own: so that a rule can be part of a larger step. */
export async function inTransaction<T>(
  db: Kysely<Tables>,
  run: (trx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? await run(db) : await db.transaction().execute(run);
}
