import type { Transaction } from 'kysely';
import { rolesThatMay } from '#contract/roles.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** Batches made since then that needed no approval. */
export async function listUnapproved(trx: Transaction<Tables>, since: Date): Promise<string[]> {
  const rows = await trx
    .selectFrom('payout_batches')
    .select('id')
    .where('needs_approval', '=', false)
    .where('made_at', '>', since)
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether the site has another payer than this one. */
export async function hasAnotherOperator(
  trx: Transaction<Tables>,
  operatorId: string | null,
): Promise<boolean> {
  const row = await trx
    .selectFrom('people')
    .select('id')
    .where('role', '=', 'operator')
    .where('operator_role', 'in', rolesThatMay('payer'))
    .where('suspended_at', 'is', null)
    .where('id', 'is distinct from', operatorId)
    .executeTakeFirst();
  return row !== undefined;
}
