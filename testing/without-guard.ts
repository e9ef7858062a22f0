import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';

/** Changes a table that is only ever added to, as nobody can; also on a cluster, whose tables have triggers only for whoever asks. */
export async function withoutGuard(
  db: Kysely<Tables>,
  table: 'adjustments' | 'month_results',
  change: (trx: Transaction<Tables>) => Promise<unknown>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`set local citus.enable_unsafe_triggers = on`.execute(trx);
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(trx);
    await change(trx);
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(trx);
  });
}
