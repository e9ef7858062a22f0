import type { Withdrawal } from '#contract/earnings.ts';
import type { WithdrawalForReview } from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import * as review from '../earnings/review.ts';
import { lockExports, logAct } from './audit-log.ts';
import type { Operator } from './operators.ts';

/** Marks a withdrawal as paid and logs it. */
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
    await logAct(trx, operator, { act: 'withdrawal.complete', target, details }, now);
  });
}

/** Rejects a withdrawal and logs it. */
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
    await logAct(trx, operator, { act: 'withdrawal.reject', target, details }, now);
  });
}

/**
 * Lists all withdrawals of a state, to be paid by another system. Each export is logged in the same transaction and
 * shown later as a mark of the withdrawal. Only one export runs at a time, so that two payers do not receive the same
 * withdrawal unmarked. Pending withdrawals of suspended people are left out, because nobody is paid while suspended.
 */
export async function exportWithdrawals(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  operator: Operator,
  which: { state: Withdrawal['status']; month?: string | undefined },
): Promise<WithdrawalForReview[]> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    await lockExports(trx);
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
        await logAct(trx, operator, { act: 'withdrawal.export', target, details }, now);
      }
      all.push(...payable);
      cursor = nextCursor ?? undefined;
    } while (cursor);
    return all;
  });
}
