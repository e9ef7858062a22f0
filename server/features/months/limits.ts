import type { Transaction } from 'kysely';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { setLimits } from '../month-counts/month-states.ts';

export interface MonthLimits {
  month: string;
  /** Views that an established account lets pay: of each creator that it watched, and of all together. */
  viewsPerCreator: number;
  viewsInAll: number;
}

/**
 * Sets the limits of established accounts from a month on that has not begun: a month for which nothing is set has those of the month before.
 * `listener` runs in the same transaction.
 */
export async function setMonthLimits(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  { month, viewsPerCreator, viewsInAll }: MonthLimits,
  listener: (trx: Transaction<Tables>, now: Date) => Promise<void>,
): Promise<void> {
  const now = clock();
  if (month <= monthOf(now, config.timeZone)) throw new Refusal('month_begun', { month }, 'month');
  await inTransaction(db, async (trx) => {
    await setLimits(trx, month, { viewsPerCreator, viewsInAll });
    await listener(trx, now);
  });
}
