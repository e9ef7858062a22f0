import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { MonthSettled } from './months.ts';
import * as queries from './settings.queries.ts';

/*
 * What a month pays depends on the views of the whole site, and a view of its last second is written some milliseconds later. So the first
 * request for a month closes it: what was being written is waited for, and what comes later counts in the month that is running.
 */
const name = 'closed month';

/** Closes a month that is over, before the transaction that asks for it: whoever waits here holds nothing else. */
export async function closeMonth(db: Kysely<Tables>, month: string): Promise<void> {
  if (await isClosed(db, month)) return;
  await inTransaction(db, async (trx) => {
    await queries.lockClosing(trx);
    if (!(await isClosed(trx, month))) await queries.replaceSetting(trx, name, month);
  });
}

/** Of earlier months, too. */
export async function isClosed(db: Kysely<Tables>, month: string): Promise<boolean> {
  const closed = await queries.findSetting(db, name);
  return closed !== undefined && month <= closed;
}

/** No month is closed until this transaction ends. It comes first in it, for the same reason. */
export const holdOpen = queries.lockOpen;

/** Likewise, and these months must be open. */
export async function mustBeOpen(trx: Transaction<Tables>, months: ReadonlySet<string>): Promise<void> {
  await holdOpen(trx);
  for (const month of months) if (await isClosed(trx, month)) throw new MonthSettled();
}
