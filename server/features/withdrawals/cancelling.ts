import type { Withdrawal } from '#contract/earnings.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { readMonth } from '../months/month-worth.ts';
import { attemptsOf, takeOutOfBatches, wasHandedOver } from './attempts.ts';
import { postStep } from './ledger.ts';
import { isLocked } from './payout-lock.ts';
import { notifyDecided } from './payout-notices.ts';
import { lockWithdrawal } from './review.ts';
import * as queries from './withdrawals.queries.ts';
import { showWithdrawal } from './withdrawals.ts';

/** Read by operators and by versions that do not know that a creator can cancel. */
const reason = 'Cancelled by its creator.';

/**
 * Cancels the caller's withdrawal of a month, or the one that carries it, as long as no payer received it: it is taken out of a batch that
 * was not sent, its ledger entry is reversed, and the month can be requested again. If it does not stand any more, nothing changes.
 */
export async function cancelWithdrawal(
  context: Context<'db' | 'clock' | 'outbox'>,
  callerId: string,
  monthText: string,
): Promise<Withdrawal> {
  const month = readMonth(monthText);
  const now = context.clock();
  return await inTransaction(context.db, async (trx) => {
    const known = await queries.listOfMonth(trx, callerId, month);
    const last = known.find(({ state }) => state !== 'rejected') ?? known.at(-1);
    if (!last) throw notFound('withdrawal');
    const row = await lockWithdrawal(trx, last.id);
    if (row.state === 'rejected') return await showWithdrawal(trx, row);
    const attempts = (await attemptsOf(trx, [row])).get(row.id) ?? [];
    const isSent = row.state === 'completed' || attempts.some(wasHandedOver);
    if (isSent) throw new Refusal('already_sent');
    // After a restore it may have been paid without a trace here.
    if (await isLocked(trx)) throw new Refusal('payouts_locked', { what: 'creator' });
    await takeOutOfBatches(trx, [row], reason, now);
    await postStep(
      trx,
      row,
      { step: 'rejected', attempt: attempts.at(-1)?.number ?? 0, operatorId: null },
      now,
    );
    const decision = { state: 'rejected', reason } as const;
    const cancelled = await queries.decide(trx, row.id, decision, { operatorId: callerId, now });
    await notifyDecided(trx, context, cancelled);
    return await showWithdrawal(trx, cancelled);
  });
}
