import type { Context } from '#server/platform/context.ts';
import { payOfMonths } from '../months/month-worth.ts';
import { withdrawStatuses } from './withdrawals.ts';

/** Coins of months without a pending or completed withdrawal, and whether one is pending. */
export async function unpaidOf(
  context: Context<'db' | 'clock' | 'config'>,
  personId: string,
): Promise<{ unpaidCoins: number; withdrawalPending: boolean }> {
  const { db } = context;
  const [months, statuses] = await Promise.all([
    payOfMonths(context, personId),
    withdrawStatuses(db, personId),
  ]);
  const unpaidCoins = months.reduce((sum, { month, coins }) => sum + (month in statuses ? 0 : coins), 0);
  return { unpaidCoins, withdrawalPending: Object.values(statuses).includes('pending') };
}
