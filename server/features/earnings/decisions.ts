import type { MonthDecision } from '#contract/earnings.ts';
import type { MonthPay } from './month-pay.ts';

/** Decisions of operators about the views of a month, and decisions whose coins count in it, oldest first. */
export function decisionsOf({ decided: { releases, voids }, missing }: MonthPay): {
  decisions: MonthDecision[];
  missingCoins: number;
} {
  const said = [
    ...releases.map((row) => ({ ...row, act: 'released' as const, at: row.released_at })),
    ...voids.map((row) => ({ ...row, act: 'void' as const, at: row.voided_at })),
  ].sort((one, other) => one.at.getTime() - other.at.getTime());
  const decisions = said.map(({ act, month, counts_in: countsIn, views, coins, reason, at }) => {
    return { act, month, countsIn, views, coins, reason, decidedAt: at.toISOString() };
  });
  return { decisions, missingCoins: missing };
}
