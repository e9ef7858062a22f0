import type { z } from 'zod';
import type { Withdrawal } from '#contract/earnings.ts';
import type * as contract from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import * as review from '../earnings/review.ts';
import { logAct } from './audit-log.ts';
import type { Operator } from './operators.ts';
import { withWaiting } from './releases.ts';

/** Marks a withdrawal as paid and logs it; optionally decides about the waiting views of its months, too. */
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

/** Rejects a withdrawal and logs it; optionally decides about the waiting views of its months, too. */
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
