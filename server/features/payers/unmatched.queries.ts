import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export type UnmatchedRow = Selectable<Tables['unmatched_payments']>;

export async function countUnmatched(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('unmatched_payments')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('named_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** The oldest payments that no operator has identified. */
export function listUnmatched(db: Kysely<Tables>, limit: number): Promise<UnmatchedRow[]> {
  return db
    .selectFrom('unmatched_payments')
    .selectAll()
    .where('named_at', 'is', null)
    .orderBy('noted_at')
    .orderBy('key')
    .limit(limit)
    .execute();
}

export function findUnmatched(db: Kysely<Tables>, key: string): Promise<UnmatchedRow | undefined> {
  return db.selectFrom('unmatched_payments').selectAll().where('key', '=', key).executeTakeFirst();
}

export function lockUnmatched(trx: Transaction<Tables>, key: string): Promise<UnmatchedRow | undefined> {
  return trx
    .selectFrom('unmatched_payments')
    .selectAll()
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst();
}

/** Stores a payment, or replaces it; it stays identified if it was. Returns whether an operator still has to identify it. */
export async function upsertUnmatched(
  db: Kysely<Tables>,
  row: Insertable<Tables['unmatched_payments']>,
): Promise<boolean> {
  const { key: _, ...values } = row;
  const { named_at } = await db
    .insertInto('unmatched_payments')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .returning('named_at')
    .executeTakeFirstOrThrow();
  return named_at === null;
}

export async function identify(
  trx: Transaction<Tables>,
  key: string,
  values: { withdrawal_id?: string; other?: string; named_at: Date; named_by: string },
): Promise<void> {
  await trx
    .updateTable('unmatched_payments')
    .set(values)
    .where('key', '=', key)
    .where('named_at', 'is', null)
    .execute();
}
