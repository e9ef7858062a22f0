import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/**
 * How many transactions of this database wait for a lock. Not for use inside a transaction, which reads the same activity again and
 * again.
 */
export async function countLockWaits(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ waits: number }>`
    select count(*)::int as waits from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waits ?? 0;
}
