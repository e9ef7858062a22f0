import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Waits until no other transaction holds the lock of this name, and holds it until this one ends. All locks of names are on the coordinator of
 * a cluster; no table is locked as a whole.
 */
export async function lockName(trx: Kysely<Tables>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}
