import { type Kysely, sql } from 'kysely';
import { listSpread } from '#server/platform/database/spread.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/**
 * How many transactions of this database wait for a lock, on any node of a cluster. Not for use inside a transaction, which reads the same activity again and
 * again.
 */
export async function countLockWaits(db: Kysely<Tables>): Promise<number> {
  const waits = `select count(*)::int as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const isSpread = (await listSpread(db)).length > 0;
  const onNodes = sql`select sum(result::int)::int as waits from run_command_on_all_nodes(${waits})`;
  const { rows } = await (isSpread ? onNodes : sql.raw(waits)).$castTo<{ waits: number }>().execute(db);
  return rows[0]?.waits ?? 0;
}
