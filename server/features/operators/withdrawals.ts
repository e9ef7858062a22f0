import type { Withdrawal } from '#contract/earnings.ts';
import type { WithdrawalForReview } from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import * as review from '../earnings/review.ts';
import { noteAct, waitForOtherExports } from './audit-log.ts';
import type { Operator } from './operators.ts';

/** Notes that a withdrawal has been paid, and who said so. */
export async function completeWithdrawal(
  context: Context<'db' | 'clock'>,
  operator: Operator,
  id: string,
  reference: string,
): Promise<Withdrawal> {
  const decision = { reference, operatorId: operator.id };
  return await review.completeWithdrawal(context, id, decision, async (trx, { paise, month }, now) => {
    const [target, details] = [
      { kind: 'withdrawal', id },
      { reference, paise, month },
    ];
    await noteAct(trx, operator, { act: 'withdrawal.complete', target, details }, now);
  });
}

/** Rejects a withdrawal, and logs who did. */
export async function rejectWithdrawal(
  context: Context<'db' | 'clock'>,
  operator: Operator,
  id: string,
  reason: string,
): Promise<Withdrawal> {
  const decision = { reason, operatorId: operator.id };
  return await review.rejectWithdrawal(context, id, decision, async (trx, { paise, month }, now) => {
    const [target, details] = [
      { kind: 'withdrawal', id },
      { reason, paise, month },
    ];
    await noteAct(trx, operator, { act: 'withdrawal.reject', target, details }, now);
  });
}

/**
 * All withdrawals of a state, to be paid elsewhere. That each left the house is logged with the list itself, and shows as
 * its mark ever after; one export at a time, so that two payers are not handed the same one unmarked. Nobody is paid while
 * suspended: what such a person has asked for is not among what is still to be paid.
 */
export async function exportWithdrawals(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  operator: Operator,
  which: { state: Withdrawal['status']; month?: string | undefined },
): Promise<WithdrawalForReview[]> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    await waitForOtherExports(trx);
    const all: WithdrawalForReview[] = [];
    let cursor: string | undefined;
    do {
      const page = { ...which, limit: 100, cursor };
      const { data, nextCursor } = await review.listWithdrawals({ db: trx, config }, page);
      const payable = data.filter(
        ({ status, marks }) => status !== 'pending' || !marks.includes('suspended'),
      );
      for (const { _id: id, paise, month, status } of payable) {
        const [target, details] = [
          { kind: 'withdrawal', id },
          { state: status, paise, month },
        ];
        await noteAct(trx, operator, { act: 'withdrawal.export', target, details }, now);
      }
      all.push(...payable);
      cursor = nextCursor ?? undefined;
    } while (cursor);
    return all;
  });
}
