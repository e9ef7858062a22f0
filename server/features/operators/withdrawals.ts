import type { z } from 'zod';
import { labelOf } from '#contract/destination-label.ts';
import type { Withdrawal } from '#contract/earnings.ts';
import type * as contract from '#contract/operators.ts';
import type { WithdrawalForPayer } from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { WithWaiting } from '../earnings/releases.ts';
import * as review from '../earnings/review.ts';
import { readinessOf } from '../payouts/destination.ts';
import { lockExports, logAct } from './audit-log.ts';
import type { Operator } from './operators.ts';
import { logMonths } from './releases.ts';

/** Marks a withdrawal as paid and logs it; what of its months waits is decided with it, if that is said. */
export async function completeWithdrawal(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  operator: Operator,
  id: string,
  { reference, ...said }: z.output<typeof contract.completeWithdrawal.body>,
): Promise<Withdrawal> {
  const decision = { reference, operatorId: operator.id, months: withWaiting(operator, said) };
  return await review.completeWithdrawal(context, id, decision, async (trx, { paise, month }, now) => {
    const [target, details] = [
      { kind: 'withdrawal', id },
      { reference, paise, month },
    ];
    await logAct(trx, operator, { act: 'withdrawal.complete', target, details }, now);
  });
}

/** Rejects a withdrawal and logs it; what of its months waits is decided with it, if that is said. */
export async function rejectWithdrawal(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  operator: Operator,
  id: string,
  said: z.output<typeof contract.rejectWithdrawal.body>,
): Promise<Withdrawal> {
  const { reason } = said;
  const decision = { reason, operatorId: operator.id, months: withWaiting(operator, said) };
  return await review.rejectWithdrawal(context, id, decision, async (trx, { paise, month }, now) => {
    const [target, details] = [
      { kind: 'withdrawal', id },
      { reason, paise, month },
    ];
    await logAct(trx, operator, { act: 'withdrawal.reject', target, details }, now);
  });
}

function withWaiting(
  operator: Operator,
  { waiting, reason }: { waiting?: WithWaiting['waiting'] | undefined; reason?: string | undefined },
): WithWaiting | undefined {
  return waiting && reason !== undefined ? { waiting, reason, done: logMonths(operator) } : undefined;
}

/**
 * Lists all withdrawals of a state, to be paid by another system, pending ones with the destination. Each export is logged in the
 * same transaction and shown later as a mark of the withdrawal. Only one export runs at a time, so that two payers do not receive
 * the same withdrawal unmarked; a month that was exported before is left out unless it is asked for `again`. So are pending
 * withdrawals that wait, and those of suspended people, because nobody is paid while suspended.
 */
export async function exportWithdrawals(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  operator: Operator,
  { again, ...which }: { state: Withdrawal['status']; month?: string | undefined; again: boolean },
): Promise<WithdrawalForPayer[]> {
  const now = context.clock();
  return await inTransaction(context.db, async (trx) => {
    const inside = { ...context, db: trx };
    await lockExports(trx);
    const all: WithdrawalForPayer[] = [];
    let cursor: string | undefined;
    do {
      const page = { ...which, limit: 100, cursor };
      const { data, nextCursor } = await review.listWithdrawals(inside, page);
      const payable = data.filter(
        ({ status, payout, marks }) =>
          status !== 'pending' ||
          (payout === 'in_review' && !marks.includes('suspended') && (again || !marks.includes('exported'))),
      );
      const pending = payable.filter(({ status }) => status === 'pending');
      const readiness = await readinessOf(
        inside,
        pending.map(({ userId }) => userId),
      );
      for (const row of payable) {
        const { _id: id, paise, month, status, destination } = row;
        const target = { kind: 'withdrawal', id };
        const details = {
          state: status,
          paise,
          month,
          ...(destination && { destination: labelOf(destination) }),
        };
        await logAct(trx, operator, { act: 'withdrawal.export', target, details }, now);
        const payTo = status === 'pending' ? (readiness.get(row.userId)?.destination ?? null) : null;
        all.push({ ...row, payTo });
      }
      cursor = nextCursor ?? undefined;
    } while (cursor);
    return all;
  });
}
