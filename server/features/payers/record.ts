import type { PaymentOutcome } from '#contract/batches.ts';
import type { Context } from '#server/platform/context.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import { type Act, logAct } from '../audit-log/audit-log.ts';
import { mustBeRecordable } from '../withdrawals/attempts.ts';
import { type AttemptListener, type Outcome, recordPayment } from '../withdrawals/payments.ts';
import { mustNotBeNew } from './alone.ts';

type Recorded = { _id: string; result: 'noted' | 'unchanged' | 'refused'; error: string | null };

const acts: Record<Outcome['state'], Act> = {
  paid: 'withdrawal.complete',
  failed: 'payout.fail',
  returned: 'payout.return',
};

/** Logs a payer's report on an attempt. */
export const logged =
  (operator: Operator, id: string, outcome: Outcome): AttemptListener =>
  async (trx, attempt, now) => {
    const target = { kind: 'withdrawal', id: attempt.withdrawal_id };
    const { state: _, ...said } = outcome;
    const details = { attempt: id, paise: attempt.paise, ...said };
    await logAct(trx, operator, { act: acts[outcome.state], target, details }, now);
  };

/** Records a payer's reports on payments, each in its own transaction, so that a refused one does not block the others. */
export async function recordPayments(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  operator: Operator,
  payments: readonly PaymentOutcome[],
): Promise<Recorded[]> {
  await mustNotBeNew(context.db, operator.id, context.clock());
  const results: Recorded[] = [];
  for (const { id, ...outcome } of payments) {
    try {
      const changed = await recordPayment(context, id, outcome, {
        operatorId: operator.id,
        check: (attempt) => mustBeRecordable(attempt, outcome.state),
        listener: logged(operator, id, outcome),
      });
      results.push({ _id: id, result: changed ? 'noted' : 'unchanged', error: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      results.push({ _id: id, result: 'refused', error: error.message });
    }
  }
  return results;
}
