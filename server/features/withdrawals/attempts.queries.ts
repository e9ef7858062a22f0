import {
  type Insertable,
  type Kysely,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Batch } from '#server/platform/keyring/reencryption.ts';

export type AttemptRow = Selectable<Tables['payout_attempts']>;

export async function insert(trx: Transaction<Tables>, rows: Insertable<Tables['payout_attempts']>[]) {
  await trx.insertInto('payout_attempts').values(rows).execute();
}

/** A withdrawal and its creator. */
export interface WithdrawalKey {
  id: string;
  creator_id: string;
}

/** All attempts of these withdrawals, in order. */
export function listOf(db: Kysely<Tables>, withdrawals: readonly WithdrawalKey[]): Promise<AttemptRow[]> {
  return db
    .selectFrom('payout_attempts')
    .selectAll()
    .where('creator_id', 'in', [...new Set(withdrawals.map((withdrawal) => withdrawal.creator_id))])
    .where(
      'withdrawal_id',
      'in',
      withdrawals.map(({ id }) => id),
    )
    .orderBy('withdrawal_id')
    .orderBy('number')
    .execute();
}

export function find(db: Kysely<Tables>, id: string): Promise<AttemptRow | undefined> {
  return db.selectFrom('payout_attempts').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findByReference(db: Kysely<Tables>, reference: string): Promise<AttemptRow | undefined> {
  return db.selectFrom('payout_attempts').selectAll().where('reference', '=', reference).executeTakeFirst();
}

/** Each state of an attempt, and those that may come before it. What is found after a restore is inserted in the state that it has by then. */
const statesBefore: Record<AttemptRow['state'], readonly AttemptRow['state'][]> = {
  prepared: [],
  exported: ['prepared'],
  sent: ['prepared', 'unknown'],
  unknown: ['sent'],
  paid: ['exported', 'sent', 'unknown'],
  failed: ['exported', 'sent', 'unknown'],
  returned: ['paid'],
  cancelled: ['prepared', 'exported', 'sent', 'unknown'],
};

/** Changes an attempt. Throws if its state cannot become this one: its caller has not locked the withdrawal, or read it before. */
export async function update(
  trx: Transaction<Tables>,
  id: string,
  values: Updateable<Tables['payout_attempts']>,
) {
  const { state } = values;
  let query = trx.updateTable('payout_attempts').set(values).where('id', '=', id);
  if (state) query = query.where('state', 'in', [state, ...statesBefore[state]]);
  const { numUpdatedRows } = await query.executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Error(`The attempt ${id} cannot become ${state ?? 'another'}`);
}

/** Destinations that were encrypted with one of these key versions. */
export async function lockDestinations(trx: Transaction<Tables>, { heads, after, limit }: Batch) {
  const { rows } = await sql<{ id: string; personId: string; sealed: Buffer }>`
    select id::text as id, creator_id as "personId", destination as sealed from payout_attempts
    where substring(destination from 1 for 4) = any(${heads}::bytea[])
      and id::text > ${after} order by 1 limit ${limit} for update skip locked`.execute(trx);
  return rows;
}

/** Attempts of a batch, ordered by withdrawal. */
export function listOfBatch(db: Kysely<Tables>, batchId: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('payout_attempts')
    .selectAll()
    .where('batch_id', '=', batchId)
    .orderBy('withdrawal_id')
    .execute();
}

/** The sum of the payments in these batches, and of those by hand since then. */
export async function sumPaise(
  trx: Transaction<Tables>,
  batchIds: readonly string[],
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ paise: number }>`
    select coalesce(sum(paise), 0)::float8 as paise from (
      select paise from payout_attempts where batch_id = any(${batchIds}::uuid[]) and state <> 'cancelled'
      union all
      -- What turned up after a restore was approved before it, as a part of a batch.
      select paise from payout_attempts where batch_id is null and approved_at is null and paid_at > ${since}
    ) payments`.execute(trx);
  return rows[0]?.paise ?? 0;
}

export async function deleteDestinations(trx: Transaction<Tables>, creatorId: string): Promise<void> {
  await trx
    .updateTable('payout_attempts')
    .set({ masked: null, fingerprint: null, destination: null })
    .where('creator_id', '=', creatorId)
    .execute();
}

/** Claims the attempt that is due first until `again`, unless payouts are locked. */
export async function claimDue(
  db: Kysely<Tables>,
  payer: string,
  now: Date,
  again: Date,
): Promise<AttemptRow | undefined> {
  return await db
    .updateTable('payout_attempts')
    .set({ look_at: again, looks: sql`looks + 1` })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('payout_attempts')
        .select('id')
        .where('look_at', '<=', now)
        .where('payer', '=', payer)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('payout_locks').select('id').where('lifted_at', 'is', null))),
        )
        .orderBy('look_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Number of open attempts in each state, and when the oldest was sent. */
export async function countOpen(
  db: Kysely<Tables>,
): Promise<{ state: string; count: number; since: Date }[]> {
  const { rows } = await sql<{ state: string; count: number; since: Date }>`
    select state, count(*)::int as count, min(sent_at) as since from payout_attempts
    where look_at is not null and state in ('sent', 'unknown') group by state`.execute(db);
  return rows;
}

/** Replaces the fingerprint of a destination in what this person was paid. */
export async function replaceFingerprint(
  trx: Transaction<Tables>,
  { id, old, next }: { id: string; old: Buffer; next: Buffer },
): Promise<void> {
  if (old.equals(next)) return;
  await trx
    .updateTable('payout_attempts')
    .set({ fingerprint: next })
    .where('creator_id', '=', id)
    .where('fingerprint', '=', old)
    .execute();
}
