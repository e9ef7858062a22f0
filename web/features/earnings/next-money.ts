import type { HistoryRecord, Withdrawal } from '#contract/earnings.ts';
import type { PayoutState } from '#contract/payouts.ts';
import type { BalanceOf } from './balance.tsx';

interface Known {
  /** Newest first. */
  months: readonly HistoryRecord[];
  /** The state of each month's withdrawal, by `YYYY-MM`. */
  statuses: Readonly<Record<string, string>>;
  withdrawals: readonly Withdrawal[];
  balance: BalanceOf;
}

/** What a pending withdrawal waits for. */
export type PendingPayout = (typeof byNeed)[number];

/** The amount that Earning History begins with; each is one that the server answers. */
export type NextMoney =
  | { kind: 'available'; paise: number; oldest: HistoryRecord }
  | { kind: 'pending'; paise: number; payout: PendingPayout }
  | { kind: 'month'; paise: number; record: HistoryRecord }
  | { kind: 'none'; paise: number };

/** What needs the creator comes first, then what is furthest from being paid. */
const byNeed = [
  'failed',
  'returned',
  'waiting_for_destination',
  'waiting_for_name',
  'waiting_for_address',
  'on_hold',
  'in_review',
  'approved',
  'sent',
] as const satisfies PayoutState[];

/**
 * What can be withdrawn now, with the oldest month that can be requested; otherwise what waits: what was requested, or the month that can be
 * requested next.
 */
export function nextMoneyOf({ months, statuses, withdrawals, balance }: Known): NextMoney {
  const oldest = months.findLast(({ withdrawable, monthKey }) => withdrawable && !statuses[monthKey]);
  if (oldest) return { kind: 'available', paise: balance.availablePaise, oldest };
  const pending = withdrawals.filter(({ status }) => status === 'pending');
  const payout = byNeed.find((state) => pending.some((one) => one.payout === state));
  if (payout) return { kind: 'pending', paise: balance.pendingPaise, payout };
  const record =
    months.findLast(({ state }) => state === 'counting') ??
    months.find(({ state }) => state === 'current') ??
    months.find(({ state }) => state === 'too_little');
  if (record) return { kind: 'month', paise: record.payablePaise, record };
  return { kind: 'none', paise: balance.availablePaise };
}

const day = 24 * 60 * 60 * 1000;

/**
 * In how many days most of the earlier withdrawals were paid, since nothing stood in their way; undefined if fewer than three say that.
 */
export function usualDays(withdrawals: readonly Withdrawal[]): { days: number; count: number } | undefined {
  const waits = withdrawals
    .flatMap(({ status, readyAt, decidedAt }) =>
      status === 'completed' && readyAt && decidedAt ? [Date.parse(decidedAt) - Date.parse(readyAt)] : [],
    )
    .sort((one, other) => one - other);
  const count = waits.length;
  const middle = waits[Math.floor(count / 2)];
  if (middle === undefined || count < 3) return;
  return { days: Math.max(Math.ceil(middle / day), 1), count };
}
