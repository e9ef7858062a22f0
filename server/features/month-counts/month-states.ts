import type { Kysely, Transaction } from 'kysely';
import { rules } from '#contract/earning-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/*
 * The states of a month of the whole site: it is open, closed, counted, and at last without single views. The date at which each began says in
 * which one it is. Only `holdMonths`, which lets events in, and the audit read them elsewhere.
 */

/** Months up to this one that are not counted yet, the earliest first. */
export async function listUncounted(db: Kysely<Tables>, last: string): Promise<string[]> {
  const rows = await db
    .selectFrom('months')
    .select('month')
    .where('counted_at', 'is', null)
    .where('month', '<=', last)
    .orderBy('month')
    .execute();
  return rows.map(({ month }) => month);
}

/** Locks a month to close it; undefined while a transaction holds it (`holdMonths`). */
export function lockMonthIfFree(trx: Transaction<Tables>, month: string) {
  return trx
    .selectFrom('months')
    .select('closed_at')
    .where('month', '=', month)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Locks a closed month. */
export function lockMonth(trx: Transaction<Tables>, month: string) {
  return trx
    .selectFrom('months')
    .select('counted_at')
    .where('month', '=', month)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** `hasMail`: whether addresses can be verified. `rules`: those by which it is counted. */
export async function setClosed(
  trx: Transaction<Tables>,
  { month, hasMail, rules }: { month: string; hasMail: boolean; rules: string },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('months')
    .set({ closed_at: now, has_mail: hasMail, rules })
    .where('month', '=', month)
    .execute();
}

export async function setCounted(trx: Transaction<Tables>, month: string, now: Date): Promise<void> {
  await trx.updateTable('months').set({ counted_at: now }).where('month', '=', month).execute();
}

/** Marks the counted months up to this one whose single views are about to be deleted; returns the last month that is marked. */
export async function setViewsDeleted(
  db: Kysely<Tables>,
  last: string,
  now: Date,
): Promise<string | undefined> {
  await db
    .updateTable('months')
    .set({ views_deleted_at: now })
    .where('month', '<=', last)
    .where('counted_at', 'is not', null)
    .where('views_deleted_at', 'is', null)
    .execute();
  const row = await db
    .selectFrom('months')
    .select('month')
    .where('views_deleted_at', 'is not', null)
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.month;
}

/** How many views an established account lets pay: of each creator that it watched, and of all together. */
interface AccountLimits {
  viewsPerCreator: number;
  viewsInAll: number;
}

/** How many views an established account lets pay in a month; the default for a month in which nothing was counted. */
export async function limitsOf(db: Kysely<Tables>, month: string): Promise<AccountLimits> {
  const row = await db
    .selectFrom('months')
    .select(['views_per_creator as viewsPerCreator', 'views_in_all as viewsInAll'])
    .where('month', '=', month)
    .executeTakeFirst();
  return row ?? rules.vouching;
}

/** Sets the limits of a month that has not begun. */
export async function setLimits(
  trx: Transaction<Tables>,
  month: string,
  { viewsPerCreator, viewsInAll }: AccountLimits,
): Promise<void> {
  const limits = { views_per_creator: viewsPerCreator, views_in_all: viewsInAll };
  await trx
    .insertInto('months')
    .values({ month, ...limits })
    .onConflict((conflict) => conflict.column('month').doUpdateSet(limits))
    .execute();
}
