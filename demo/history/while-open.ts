import type { Transaction } from 'kysely';
import { holdMonths } from '#server/features/month-counts/months.ts';
import { monthBefore, monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { before, type Demo } from '../demo.ts';
import { oldest } from '../people.ts';

/** Fills the demo's past while none of its months is closed: a transaction holds them. */
export async function whileOpen({ db, now, timeZone }: Demo, fill: () => Promise<void>): Promise<void> {
  const months: string[] = [];
  for (
    let month = monthOf(now, timeZone);
    month >= monthOf(before(now, oldest), timeZone);
    month = monthBefore(month)
  )
    months.push(month);
  const hold = (trx: Transaction<Tables>) => holdMonths(trx, months);
  // Committed first: others wait for a row that is being made.
  await db.transaction().execute(hold);
  await db.transaction().execute(async (trx) => {
    await hold(trx);
    await fill();
  });
}
