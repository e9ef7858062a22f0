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

/** Shares the lock of this name until the transaction ends. Fails if somebody else holds it for more than these seconds. */
export async function shareName(trx: Kysely<Tables>, name: string, seconds: number): Promise<void> {
  await sql`
    select set_config('lock_timeout', ${`${seconds}s`}, true), pg_advisory_xact_lock_shared(${numberOf(name)}),
      set_config('lock_timeout', usual, true)
    from (select current_setting('lock_timeout') as usual offset 0) settings`.execute(trx);
}
