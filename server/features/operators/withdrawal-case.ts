import type { HistoryRecord } from '#contract/earnings.ts';
import { countedTo } from '#contract/today.ts';
import {
  type EarnedMonth,
  type Sharing,
  shownBesideMoney,
  type WithdrawalCase,
} from '#contract/withdrawal-case.ts';
import type { Context } from '#server/platform/context.ts';
import { listActsOn } from '../audit-log/audit-log.ts';
import { findSharing } from '../destinations/destination.ts';
import { showHistory } from '../earnings/history.ts';
import { attemptsOf } from '../withdrawals/attempts.ts';
import { findForReview } from '../withdrawals/review.ts';
import { listOwnWithdrawals } from '../withdrawals/withdrawals.ts';

type MoneyContext = Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>;

/** A withdrawal with what an operator compares it with. */
export async function showWithdrawal(context: MoneyContext, id: string): Promise<WithdrawalCase> {
  const found = await findForReview(context, id);
  const [money, attempts, history] = await Promise.all([
    moneyOf(context, found.userId),
    attemptsOf(context.db, [{ id, creator_id: found.userId }]),
    listActsOn(context.db, [{ kind: 'withdrawal', id }], shownBesideMoney),
  ]);
  const { months, sharing, withdrawals } = money;
  const batchId = attempts.get(id)?.at(-1)?.batch_id ?? null;
  const others = withdrawals.filter(({ _id }) => _id !== id);
  return { ...found, months, sharing, batchId, others, history };
}

/** The newest months and withdrawals of a person, and accounts with the same payout destination. */
export async function moneyOf(context: MoneyContext, personId: string) {
  const [{ data: months }, { data: withdrawals }, sharing] = await Promise.all([
    showHistory(context, personId),
    listOwnWithdrawals(context, personId, { limit: shownBesideMoney }),
    findSharing(context.db, personId, { shown: shownBesideMoney, counted: countedTo + 1 }),
  ]);
  return { months: months.slice(0, shownBesideMoney).map(asMonth), withdrawals, sharing } satisfies {
    months: EarnedMonth[];
    sharing: Sharing;
  } & Record<string, unknown>;
}

const asMonth = ({ monthKey, totalCoins, paise, state }: HistoryRecord): EarnedMonth => ({
  month: monthKey,
  coins: totalCoins,
  paise,
  state,
});
