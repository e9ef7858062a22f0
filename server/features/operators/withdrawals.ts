import type { z } from 'zod';
import type { Withdrawal } from '#contract/earnings.ts';
import type * as contract from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import { logAct } from '../audit-log/audit-log.ts';
import * as byHand from '../payers/by-hand.ts';
import { withWaiting } from '../withdrawals/logged-releases.ts';
import * as review from '../withdrawals/review.ts';

/** Marks a withdrawal as paid and logs it; optionally decides about the waiting views of its months, too. */
export async function completeWithdrawal(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  operator: Operator,
  id: string,
  { reference, ...said }: z.output<typeof contract.completeWithdrawal.body>,
): Promise<Withdrawal> {
  const decision = { reference, operatorId: operator.id, months: withWaiting(operator, said) };
  return await byHand.completeWithdrawal(context, id, decision, async (trx, { paise, month }, now) => {
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
