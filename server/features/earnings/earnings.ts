import type { HistoryRecord, MonthState } from '#contract/earnings.ts';
import { monthKey, monthLabel } from '#contract/month.ts';
import { paiseOf, rupeesOf } from '#contract/rates.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { attemptsOf, isCancelled, payoutOf } from '../payouts/attempts.ts';
import { waitingFor } from '../payouts/destination.ts';
import { availableOf, type Payable, payableOf } from './carry.ts';
import { decisionsOf } from './decisions.ts';
import * as queries from './earnings.queries.ts';
import { type MonthPay, payOf } from './month-pay.ts';
import { nothing } from './results.ts';
import { findReviewRequest } from './review-requests.queries.ts';
import * as withdrawals from './withdrawals.queries.ts';

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
export const lifetimeOf = queries.sumOfMonths;

/** The counts of a creator's month and their worth. */
export async function worthOfMonth(
  context: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
  month: string,
) {
  const [found = { month, counts: nothing, result: undefined }] = await queries.findMonths(
    context.db,
    creatorId,
    [month],
  );
  const [pay] = await payOf(context, creatorId, [found]);
  if (!pay) throw new Error(`the month ${month} has no worth`);
  return { ...pay, monthLabel: monthLabel(month), rupees: rupeesOf(pay.paise) };
}

/** What each of a creator's months with activity pays, newest first. */
export async function payOfMonths(
  context: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
): Promise<MonthPay[]> {
  return await payOf(context, creatorId, await queries.listMonths(context.db, creatorId));
}

/** Every month with activity, newest first, and the worth of all together. */
export async function showHistory(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  creatorId: string,
) {
  const { db, clock, config } = context;
  const current = monthOf(clock(), config.timeZone);
  const [months, decisive, waiting, lookAskedAt] = await Promise.all([
    payOfMonths(context, creatorId),
    withdrawals.lastOfMonths(db, creatorId),
    waitingFor(context, creatorId),
    findReviewRequest(db, creatorId, current),
  ]);
  const attempts = await attemptsOf(db, [...decisive.values()]);
  const isTaken = withdrawals.isTakenIn(decisive);
  const data = months.map((pay): HistoryRecord => {
    const { month, counts, waitingViews, coins: totalCoins, paise } = pay;
    const last = decisive.get(month);
    const payable = payableOf(month, months, isTaken);
    const state = stateOf(pay, payable, { last, current });
    const carrier = isTaken(month) && last?.month !== month ? last?.month : undefined;
    return {
      userId: creatorId,
      month: monthLabel(month),
      monthKey: month,
      ...counts,
      waitingViews,
      ...decisionsOf(pay),
      totalCoins,
      paise,
      rupees: rupeesOf(paise),
      state,
      counted: pay.isCounted,
      ...(last && last.state !== 'rejected' && { status: last.state }),
      ...(last && { payout: payoutOf(last, waiting, attempts.get(last.id) ?? []) }),
      withdrawable: state === 'withdrawable',
      payablePaise: payable.paise,
      payableRupees: rupeesOf(payable.paise),
      carries: state === 'withdrawable' ? payable.carried.map((one) => one.month) : [],
      carriedBy: carrier ?? null,
      rejection: last?.state === 'rejected' && !isCancelled(last) ? last.reason : null,
    };
  });
  const totalCoins = data.reduce((sum, record) => sum + record.totalCoins, 0);
  const totalPaise = paiseOf(totalCoins);
  return {
    data,
    totalCoins,
    totalPaise,
    totalRupees: rupeesOf(totalPaise),
    lookAskedAt: lookAskedAt?.toISOString() ?? null,
    balance: {
      availablePaise: availableOf(
        months.filter(({ isCounted }) => isCounted),
        isTaken,
      ),
      ...sumsOf([...decisive].filter(([month, row]) => month === row.month).map(([, row]) => row)),
    },
  };
}

/** The requested and the paid amount. */
function sumsOf(requests: readonly withdrawals.WithdrawalRow[]) {
  const sumOf = (wanted: withdrawals.WithdrawalRow['state']) =>
    requests.reduce((sum, { state, paise }) => sum + (state === wanted ? paise : 0), 0);
  return { pendingPaise: sumOf('pending'), paidPaise: sumOf('completed') };
}

/** The state of a month: current, being counted, withdrawable, too little, or the state of the withdrawal that pays it. */
export function stateOf(
  { month, isCounted }: Pick<MonthPay, 'month' | 'isCounted'>,
  { isEnough }: Payable,
  { last, current }: { last: withdrawals.WithdrawalRow | undefined; current: string },
): MonthState {
  if (last && last.state !== 'rejected') return last.state;
  if (month >= current) return 'current';
  if (!isCounted) return 'counting';
  return isEnough ? 'withdrawable' : 'too_little';
}
