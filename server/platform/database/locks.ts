import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/* All locks of names are on the coordinator of a cluster, and no table is locked as a whole. */

const numberOf = (name: string) => sql`hashtextextended(${name}, 0)`;

/** Waits until no other transaction holds the lock of this name, and holds it until this one ends. */
export async function lockName(trx: Kysely<Tables>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${numberOf(name)})`.execute(trx);
}

/** The same until `unlockNameOfSession`, or until the connection ends. */
export async function lockNameOfSession(connection: Kysely<Tables>, name: string): Promise<void> {
  await sql`select pg_advisory_lock(${numberOf(name)})`.execute(connection);
}

export async function unlockNameOfSession(connection: Kysely<Tables>, name: string): Promise<void> {
  await sql`select pg_advisory_unlock(${numberOf(name)})`.execute(connection);
}

/**
 * Shares the locks of both names until the transaction ends. Returns false, with no lock, if somebody else holds or waits for the first; fails if somebody
 * else holds the second for more than these seconds.
 */
export async function shareNames(
  trx: Kysely<Tables>,
  [atOnce, within]: readonly [string, string],
  seconds: number,
): Promise<boolean> {
  const { rows } = await sql<{ shared: boolean }>`
    select shared, set_config('lock_timeout', ${`${seconds}s`}, true),
      case when shared then pg_advisory_xact_lock_shared(${numberOf(within)}) end, set_config('lock_timeout', usual, true)
    from (select current_setting('lock_timeout') as usual, pg_try_advisory_xact_lock_shared(${numberOf(atOnce)}) as shared offset 0) settings`.execute(
    trx,
  );
  return rows[0]?.shared ?? false;
}
