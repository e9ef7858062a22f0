import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** What each open transaction is followed by. */
const followers = new WeakMap<Transaction<Tables>, (() => void)[]>();

/** Uses `db` if it is a transaction, else begins a new one, so that a rule can be a step of a larger transaction. */
export async function inTransaction<T>(
  db: Kysely<Tables> | Transaction<Tables>,
  run: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return await run(db as Transaction<Tables>);
  const then: (() => void)[] = [];
  const result = await db.transaction().execute((trx) => {
    followers.set(trx, then);
    return run(trx);
  });
  for (const follow of then) follow();
  return result;
}

/** Calls a function once this transaction of `inTransaction` has committed. It is a hint: a process that is killed then has not called it. */
export function afterCommit(trx: Transaction<Tables>, follow: () => void): void {
  followers.get(trx)?.push(follow);
}

/** Runs in a read-only transaction that sees one snapshot of the database. */
export async function inSnapshot<T>(
  db: Kysely<Tables>,
  run: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(run);
}
