import type { Transaction } from 'kysely';
import type { LedgerAccount, Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import * as queries from './withdrawals.queries.ts';

export type Step = Tables['ledger_transactions']['step'];

/**
 * Debit and credit of each step. Requested: the site owes the creator, an expense for content. Completed: the debt is paid from the payout
 * account. Rejected: the first step is reversed, also for a withdrawal that its creator cancelled; if it was paid nevertheless, it is
 * requested again. Returned: the payment was returned, and the site owes it again.
 */
export const accounts: Record<Step, { debit: LedgerAccount; credit: LedgerAccount }> = {
  requested: { debit: 'earnings_expense', credit: 'creator_payable' },
  completed: { debit: 'creator_payable', credit: 'payouts' },
  rejected: { debit: 'creator_payable', credit: 'earnings_expense' },
  returned: { debit: 'payouts', credit: 'creator_payable' },
};

/**
 * Posts one step of a withdrawal, in the transaction that performs it. Each step is posted at most once per attempt to pay: `attempt` is the
 * last one at that time, 0 before the first.
 */
export async function postStep(
  trx: Transaction<Tables>,
  withdrawal: { id: string; paise: number },
  { step, attempt = 0, operatorId }: { step: Step; attempt?: number; operatorId: string | null },
  now: Date,
): Promise<void> {
  await queries.post(trx, {
    id: newId(now),
    withdrawal_id: withdrawal.id,
    step,
    attempt,
    ...accounts[step],
    paise: withdrawal.paise,
    posted_at: now,
    posted_by: operatorId,
  });
}
