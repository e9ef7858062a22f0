import type { Kysely } from 'kysely';
import type { HistoryRecord, MonthState } from '#contract/earnings.ts';
import { monthKey, monthLabel } from '#contract/month.ts';
import { type MonthCounts, paiseOf, ratesOf, rupeesOf } from '#contract/rates.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { payoutOf, waitingFor } from '../payouts/destination.ts';
import * as queries from './earnings.queries.ts';
import { payBy } from './month-pay.ts';
import { findMonthRules } from './month-rules.ts';
import * as withdrawals from './withdrawals.queries.ts';

/** Refuses to show earnings to anybody but their owner (specification §6). */
export function mustBeOwn(userId: string, callerId: string): void {
  if (userId !== callerId) throw new Refusal('not_yours', 'You can see only your own earnings.', 'userId');
}

/** The month of a validated request, as YYYY-MM. */
export function readMonth(month: string): string {
  const key = monthKey(month);
  if (!key) throw new Refusal('invalid_input', 'This is not a month; write it as YYYY-MM.', 'month');
  return key;
}

/** Lifetime sums of the views and likes that count. */
export const lifetimeOf = queries.sumOfMonths;

/** A month in which nothing happened. */
export const nothing: MonthCounts = { reels: 0, posts: 0, stories: 0, views: 0, likes: 0 };

/** The counts of a creator's month and their worth, by the rates of that month. */
export async function worthOfMonth(db: Kysely<Tables>, creatorId: string, month: string) {
  const { month: _, ...counts } = (await queries.findMonth(db, creatorId, month)) ?? { ...nothing, month };
  const pay = payBy(await findMonthRules(db), month, counts);
  return { ...pay, monthLabel: monthLabel(month), rupees: rupeesOf(pay.paise) };
}

/** Every month with activity, newest first, and the worth of all together. */
export async function showHistory(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  creatorId: string,
) {
  const { db, clock, config } = context;
  const [months, rules, decisive, waiting] = await Promise.all([
    queries.listMonths(db, creatorId),
    findMonthRules(db),
    withdrawals.lastOfMonths(db, creatorId),
    waitingFor(context, creatorId),
  ]);
  const current = monthOf(clock(), config.timeZone);
  const data = months.map(({ month, ...counts }): HistoryRecord => {
    const { coins: totalCoins, paise } = payBy(rules, month, counts);
    const last = decisive.get(month);
    const state = stateOf(month, paise, last, current);
    return {
      userId: creatorId,
      month: monthLabel(month),
      monthKey: month,
      ...counts,
      totalCoins,
      paise,
      rupees: rupeesOf(paise),
      state,
      ...(last && last.state !== 'rejected' && { status: last.state }),
      ...(last && { payout: payoutOf(last.state, waiting) }),
      withdrawable: state === 'withdrawable',
      rejection: last?.state === 'rejected' ? last.reason : null,
    };
  });
  const totalPaise = worthOfAll(data);
  return {
    data,
    totalCoins: data.reduce((sum, record) => sum + record.totalCoins, 0),
    totalPaise,
    totalRupees: rupeesOf(totalPaise),
    balance: balanceOf(data, [...decisive.values()]),
  };
}

/** What can be asked for now, what was asked for, and what was paid; a month is in one of the three at most. */
function balanceOf(months: readonly HistoryRecord[], requests: readonly withdrawals.WithdrawalRow[]) {
  const sumOf = (amounts: readonly { paise: number }[]) => amounts.reduce((sum, { paise }) => sum + paise, 0);
  return {
    availablePaise: sumOf(months.filter(({ withdrawable }) => withdrawable)),
    pendingPaise: sumOf(requests.filter(({ state }) => state === 'pending')),
    paidPaise: sumOf(requests.filter(({ state }) => state === 'completed')),
  };
}

/** Sums the coins of months with the same rates before rounding down. */
function worthOfAll(records: readonly HistoryRecord[]): number {
  const coins = new Map<string, number>();
  for (const { monthKey, totalCoins } of records) {
    const { from } = ratesOf(monthKey);
    coins.set(from, (coins.get(from) ?? 0) + totalCoins);
  }
  return [...coins].reduce((sum, [from, together]) => sum + paiseOf(together, ratesOf(from)), 0);
}

/** The state of a month: current, withdrawable, too little, or the state of its withdrawal. */
export function stateOf(
  month: string,
  paise: number,
  last: withdrawals.WithdrawalRow | undefined,
  current: string,
): MonthState {
  if (last && last.state !== 'rejected') return last.state;
  if (month >= current) return 'current';
  return paise >= ratesOf(month).minimumWithdrawalPaise ? 'withdrawable' : 'too_little';
}
