import type { Transaction } from 'kysely';
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
