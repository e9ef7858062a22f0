import type { Transaction } from 'kysely';
import { keysOf } from '#server/media/prints/any-print.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import * as queries from './copies.queries.ts';

const atOnce = 100;

/**
 * Stores that the owner deleted a work, whose row is locked. Its copies are found until the end of the month, because deleting and
 * publishing again must not pay twice in a month; then its print, which shows a little of the picture, is deleted, too. The print of a work
 * that is taken down stays until an operator restores it: otherwise deleting it would make its copies public.
 */
export const markPrintDeleted = queries.markDeleted;

/** The same for a work that an operator restores after its owner deleted it. */
export async function markRestoredDeleted(
  trx: Transaction<Tables>,
  which: Parameters<typeof queries.markDeleted>[1],
  now: Date,
): Promise<void> {
  await queries.markDeleted(trx, which, now);
  await queries.deleteCopyOfDeleted(trx, which);
}

/** Deletes the prints of works that were deleted in earlier months. */
export async function deleteOldPrints({
  db,
  clock,
  config,
}: Context<'db' | 'clock' | 'config'>): Promise<void> {
  const { timeZone } = config;
  const deletedBefore = monthOf(clock(), timeZone);
  for (let deleted = atOnce; deleted === atOnce; )
    deleted = await inTransaction(db, (trx) => deletePrints(trx, { deletedBefore, timeZone }));
}

/**
 * Deletes the prints of a person's works, and the results of their comparison, when the account is deleted and all works are locked. The
 * prints of those that are taken down stay, as if each work was deleted separately.
 */
export async function deleteCopiesOfPerson(trx: Transaction<Tables>, creatorId: string): Promise<void> {
  for (let deleted = atOnce; deleted === atOnce; ) deleted = await deletePrints(trx, { creatorId });
  await queries.deleteCopiesOf(trx, creatorId);
}

async function deletePrints(
  trx: Transaction<Tables>,
  which: Parameters<typeof queries.listPrints>[1],
): Promise<number> {
  const prints = await queries.listPrints(trx, which, atOnce);
  for (const { number, print } of prints) await queries.deletePrint(trx, number, keysOf(print));
  return prints.length;
}
