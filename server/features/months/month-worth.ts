import { rupeesOf } from '#contract/earning-rules.ts';
import { monthKey, monthLabel } from '#contract/month.ts';
import type { Context } from '#server/platform/context.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { type MonthPay, nothing } from './money.ts';
import { payOf } from './month-pay.ts';
import { findMonths, listMonths, sumOfMonths } from './month-rows.ts';

/** Throws unless these are the caller's own earnings (specification §6). */
export function mustBeOwn(userId: string, callerId: string): void {
  if (userId !== callerId) throw new Refusal('not_yours', { what: 'earnings' }, 'userId');
}

/** The month of a validated request, as YYYY-MM. */
export function readMonth(month: string): string {
  const key = monthKey(month);
  if (!key) throw new Refusal('invalid_input', { what: 'month' }, 'month');
  return key;
}

/** Lifetime sums of the views and likes that count. */
export const lifetimeOf = sumOfMonths;

/** The counts of a creator's month and their worth. */
export async function worthOfMonth(
  context: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
  month: string,
) {
  const [row = { month, counts: nothing, result: undefined }] = await findMonths(context.db, creatorId, [
    month,
  ]);
  const [pay] = await payOf(context, creatorId, [row]);
  if (!pay) throw new Error(`the month ${month} has no worth`);
  return { ...pay, monthLabel: monthLabel(month), rupees: rupeesOf(pay.paise) };
}

/** What each of a creator's months with activity pays, newest first. */
export async function payOfMonths(
  context: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
): Promise<MonthPay[]> {
  return await payOf(context, creatorId, await listMonths(context.db, creatorId));
}
