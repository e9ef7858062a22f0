import type { Withdrawal } from '#contract/earnings.ts';
import type { Context } from '#server/platform/context.ts';
import * as withdrawals from '../withdrawals/review.ts';
import { lockBatches, mustBePayableAlone, mustNotBeNew } from './alone.ts';

const paidBy: withdrawals.ByHand = { lockBatches, mustBePayableAlone, mustNotBeNew };

/** Marks a withdrawal as paid that an operator paid by hand. */
export const completeWithdrawal = (
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  id: string,
  completion: Omit<withdrawals.Completion, 'paidBy'>,
  listener?: withdrawals.ReviewListener,
): Promise<Withdrawal> => withdrawals.completeWithdrawal(context, id, { ...completion, paidBy }, listener);
