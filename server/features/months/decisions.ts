import type { MonthDecision } from '#contract/earnings.ts';
import type { MonthPay } from './money.ts';

const acts = { released: 'released', void_waiting: 'void', void_paid: 'void', own: 'own' } as const;

/** Decisions of operators about a month after it was closed, and decisions whose coins count in it, oldest first. */
export function decisionsOf({ adjustments, missing }: Pick<MonthPay, 'adjustments' | 'missing'>): {
  decisions: MonthDecision[];
  missingCoins: number;
} {
  const decisions = adjustments.map(({ kind, month, counts_in: countsIn, views, coins, reason, at }) => ({
    ...{ act: acts[kind], month, countsIn, views, coins: Math.abs(coins), reason },
    decidedAt: at.toISOString(),
  }));
  return { decisions, missingCoins: missing };
}
