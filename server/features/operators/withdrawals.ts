import type { Kysely } from 'kysely';
import type { Withdrawal } from '#contract/earnings.ts';
import type { WithdrawalForReview } from '#contract/operators.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import * as review from '../earnings/review.ts';
import { noteAct, waitForOtherExports } from './audit-log.ts';
import type { Operator } from './operators.ts';

/** Notes that a withdrawal has been paid, and who said so. */
export async function completeWithdrawal(
  db: Kysely<Tables>,
  operator: Operator,
  id: string,
  reference: string,
  now: Date,
): Promise<Withdrawal> {
  return await review.completeWithdrawal(db, id, reference, operator.id, now, (trx, { paise, month }) =>
    noteAct(
      trx,
      operator,
      'withdrawal.complete',
      { kind: 'withdrawal', id },
      { reference, paise, month },
      now,
    ),
  );
}

/** Rejects a withdrawal, and logs who did. */
export async function rejectWithdrawal(
  db: Kysely<Tables>,
  operator: Operator,
  id: string,
  reason: string,
  now: Date,
): Promise<Withdrawal> {
  return await review.rejectWithdrawal(db, id, reason, operator.id, now, (trx, { paise, month }) =>
    noteAct(trx, operator, 'withdrawal.reject', { kind: 'withdrawal', id }, { reason, paise, month }, now),
  );
}

/**
 * All withdrawals of a state, to be paid elsewhere. That each left the house is logged with the list itself, and shows as
 * its mark ever after; one export at a time, so that two payers are not handed the same one unmarked. Nobody is paid while
 * suspended: what such a person has asked for is not among what is still to be paid.
 */
export async function exportWithdrawals(
  db: Kysely<Tables>,
  operator: Operator,
  which: { state: Withdrawal['status']; month?: string | undefined },
  timeZone: string,
  now: Date,
): Promise<WithdrawalForReview[]> {
  return await inTransaction(db, async (trx) => {
    await waitForOtherExports(trx);
    const all: WithdrawalForReview[] = [];
    let cursor: string | undefined;
    do {
      const { data, nextCursor } = await review.listWithdrawals(
        trx,
        { ...which, limit: 100, cursor },
        timeZone,
      );
      const payable = data.filter(
        ({ status, marks }) => status !== 'pending' || !marks.includes('suspended'),
      );
      for (const { _id: id, paise, month, status } of payable) {
        const target = { kind: 'withdrawal', id };
        await noteAct(trx, operator, 'withdrawal.export', target, { state: status, paise, month }, now);
      }
      all.push(...payable);
      cursor = nextCursor ?? undefined;
    } while (cursor);
    return all;
  });
}
