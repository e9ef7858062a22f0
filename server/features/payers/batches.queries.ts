import {
  type Insertable,
  type Kysely,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import type { Cursor } from '#server/platform/cursor.ts';
import { lockName } from '#server/platform/database/locks.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { countWaiting, type Waiting } from '#server/platform/database/waiting.ts';

export type BatchRow = Selectable<Tables['payout_batches']>;

/** Locks all batches until this transaction ends: they are made, approved and sent one at a time. */
export async function lockBatches(trx: Transaction<Tables>): Promise<void> {
  await lockName(trx, 'payout batches');
}

export async function insert(trx: Transaction<Tables>, row: Insertable<Tables['payout_batches']>) {
  return await trx.insertInto('payout_batches').values(row).returningAll().executeTakeFirstOrThrow();
}

export function find(db: Kysely<Tables>, id: string): Promise<BatchRow | undefined> {
  return db.selectFrom('payout_batches').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function update(
  trx: Transaction<Tables>,
  id: string,
  values: Updateable<Tables['payout_batches']>,
) {
  return await trx
    .updateTable('payout_batches')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function list(db: Kysely<Tables>, limit: number, after: Cursor | undefined): Promise<BatchRow[]> {
  let query = db
    .selectFrom('payout_batches')
    .selectAll()
    .orderBy('made_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after) query = query.where(sql<boolean>`(made_at, id) < (${after.at}, ${after.id})`);
  return query.execute();
}

/** Locks people, so that they are not suspended and do not change their destination during this transaction. */
export function lockPeople(trx: Transaction<Tables>, ids: readonly string[]) {
  return trx
    .selectFrom('people')
    .select(['id', 'name', 'username', 'email', 'suspended_at'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute();
}

/** Batches that were neither sent nor cancelled, and since when the oldest waits. */
export const countUnsentBatches = (db: Kysely<Tables>): Promise<Waiting> =>
  countWaiting(db, sql`select made_at as at from payout_batches where state in ('proposed', 'approved')`);
