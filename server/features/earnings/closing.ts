import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { MonthSettled } from './months.ts';
import * as queries from './settings.queries.ts';

/*
 * What a month pays depends on the views of the whole site, and a view of its last second is written some milliseconds after its end. So
 * the first request for a month closes it: it waits for views that are being written; later ones count in the current month.
 */
const name = 'closed month';

/** Closes a month that is over, before the transaction of the request, so that waiting here holds no other locks. */
export async function closeMonth(db: Kysely<Tables>, month: string): Promise<void> {
  if (await isClosed(db, month)) return;
  await inTransaction(db, async (trx) => {
    await queries.lockClosing(trx);
    if (!(await isClosed(trx, month))) await queries.replaceSetting(trx, name, month);
  });
}

/** A closed month also closes all earlier ones. */
export async function isClosed(db: Kysely<Tables>, month: string): Promise<boolean> {
  const closed = await queries.findSetting(db, name);
  return closed !== undefined && month <= closed;
}

declare const prevented: unique symbol;
/** A transaction during which no month is closed. What changes the views or the established accounts of a month requires it. */
export type ClosingPrevented = Transaction<Tables> & { [prevented]: true };

/** Prevents the closing of months until this transaction ends. Called first in a transaction, for the same reason. */
export async function preventClosing(trx: Transaction<Tables>): Promise<ClosingPrevented> {
  await queries.lockOpen(trx);
  return trx as ClosingPrevented;
}

/** The same, but throws if one of these months is closed. */
export async function mustBeOpen(
  trx: Transaction<Tables>,
  months: ReadonlySet<string>,
): Promise<ClosingPrevented> {
  const open = await preventClosing(trx);
  for (const month of months) if (await isClosed(open, month)) throw new MonthSettled();
  return open;
}
