import { sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** The sum of what operators paid alone since then: what is left in batches that needed no approval, and payments by hand. */
export async function paiseAlone(trx: Transaction<Tables>, since: Date): Promise<number> {
  const { rows } = await sql<{ paise: number }>`
    select coalesce(sum(paise), 0)::float8 as paise from (
      select a.paise from payout_batches b join payout_attempts a on a.batch_id = b.id
        where not b.needs_approval and b.made_at > ${since} and a.state <> 'cancelled'
      union all
      -- What was found after a restore was approved before it, as a part of a batch.
      select paise from payout_attempts where batch_id is null and approved_at is null and paid_at > ${since}
    ) alone`.execute(trx);
  return rows[0]?.paise ?? 0;
}

/** Whether the site has another operator than this one. */
export async function hasAnotherOperator(
  trx: Transaction<Tables>,
  operatorId: string | null,
): Promise<boolean> {
  const row = await trx
    .selectFrom('people')
    .select('id')
    .where('role', '=', 'operator')
    .where('suspended_at', 'is', null)
    .where('id', 'is distinct from', operatorId)
    .executeTakeFirst();
  return row !== undefined;
}
