import type { Kysely } from 'kysely';
import type { HistoryRecord, MonthState } from '#contract/earnings.ts';
import { monthKey, monthLabel } from '#contract/month.ts';
import { coinsOf, type MonthCounts, paiseOf, ratesOf, rupeesOf } from '#contract/rates.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import * as queries from './earnings.queries.ts';
import * as withdrawals from './withdrawals.queries.ts';

/** Earnings are nobody's business but one's own (specification §6). */
export function mustBeOwn(userId: string, callerId: string): void {
  if (userId !== callerId) throw new Refusal('not_yours', 'You can see only your own earnings.', 'userId');
}

/** The month of a request that the contract let through, as YYYY-MM. */
export function keyOf(month: string): string {
  const key = monthKey(month);
  if (!key) throw new Refusal('invalid_input', 'This is not a month; write it as YYYY-MM.', 'month');
  return key;
}

/** Lifetime figures of the events that pay: what all months hold. */
export const lifetimeOf = queries.sumOfMonths;

const nothing: MonthCounts = { reels: 0, posts: 0, stories: 0, views: 0, likes: 0 };

/** What a creator's month holds and what it is worth, by the rates it was earned under. */
export async function worthOfMonth(db: Kysely<Tables>, creatorId: string, month: string) {
  const { month: _, ...counts } = (await queries.findMonth(db, creatorId, month)) ?? { ...nothing, month };
  const rates = ratesOf(month);
  const coins = coinsOf(counts, rates);
  const paise = paiseOf(coins, rates);
  return { month, monthLabel: monthLabel(month), counts, coins, paise, rupees: rupeesOf(paise), rates };
}

/** Every month in which a creator earned something, newest first, and what all are worth together. */
export async function showHistory(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
) {
  const [months, asked] = await Promise.all([
    queries.listMonths(db, creatorId),
    withdrawals.lastOfMonths(db, creatorId),
  ]);
  const current = monthOf(clock(), config.timeZone);
  const data = months.map(({ month, ...counts }): HistoryRecord => {
    const rates = ratesOf(month);
    const totalCoins = coinsOf(counts, rates);
    const paise = paiseOf(totalCoins, rates);
    const last = asked.get(month);
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
  };
}

/** Coins of one rate are put together before they are rounded down, once. */
function worthOfAll(records: readonly HistoryRecord[]): number {
  const coins = new Map<string, number>();
  for (const { monthKey, totalCoins } of records) {
    const { from } = ratesOf(monthKey);
    coins.set(from, (coins.get(from) ?? 0) + totalCoins);
  }
  return [...coins].reduce((sum, [from, together]) => sum + paiseOf(together, ratesOf(from)), 0);
}

/** Where a month stands on its way to money. */
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
