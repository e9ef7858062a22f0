import { paiseOf, rupeesOf } from '#contract/earning-rules.ts';
import type { HistoryRecord, MonthState } from '#contract/earnings.ts';
import { monthLabel } from '#contract/month.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { waitingFor } from '../destinations/destination.ts';
import { decisionsOf } from '../months/decisions.ts';
import type { MonthPay } from '../months/money.ts';
import { payOfMonths } from '../months/month-worth.ts';
import { findReviewRequest } from '../months/review-requests.ts';
import { attemptsOf, isCancelled, payoutOf } from '../withdrawals/attempts.ts';
import { availableOf, type Payable, payableOf } from '../withdrawals/carry.ts';
import { isTakenIn, lastOfMonths, type WithdrawalRow } from '../withdrawals/withdrawals.ts';

/** Every month with activity, newest first, and the worth of all together. */
export async function showHistory(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  creatorId: string,
) {
  const { db, clock, config } = context;
  const current = monthOf(clock(), config.timeZone);
  const [months, decisive, waiting, lookAskedAt] = await Promise.all([
    payOfMonths(context, creatorId),
    lastOfMonths(db, creatorId),
    waitingFor(context, creatorId),
    findReviewRequest(db, creatorId, current),
  ]);
  const attempts = await attemptsOf(db, [...decisive.values()]);
  const isTaken = isTakenIn(decisive);
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
      carries: state === 'withdrawable' ? payable.carried.map((paid) => paid.month) : [],
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
function sumsOf(requests: readonly WithdrawalRow[]) {
  const sumOf = (wanted: WithdrawalRow['state']) =>
    requests.reduce((sum, { state, paise }) => sum + (state === wanted ? paise : 0), 0);
  return { pendingPaise: sumOf('pending'), paidPaise: sumOf('completed') };
}

/** The state of a month: current, being counted, withdrawable, too little, or the state of the withdrawal that pays it. */
export function stateOf(
  { month, isCounted }: Pick<MonthPay, 'month' | 'isCounted'>,
  { isEnough }: Payable,
  { last, current }: { last: WithdrawalRow | undefined; current: string },
): MonthState {
  if (last && last.state !== 'rejected') return last.state;
  if (month >= current) return 'current';
  if (!isCounted) return 'counting';
  return isEnough ? 'withdrawable' : 'too_little';
}
