import type { Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound } from '#server/platform/refusal.ts';
import { type AttemptRow, endAttempt, ended, findAttempt, findByReference, isWithPayer } from './attempts.ts';
import { postStep } from './ledger.ts';
import { mustNotBeOwn } from './own-withdrawal.ts';
import { mustBeUnlocked } from './payout-lock.ts';
import { notifyPayment } from './payout-notices.ts';
import * as reviews from './review.queries.ts';
import { completeWithdrawal, lockWithdrawal } from './review.ts';
import * as queries from './withdrawals.queries.ts';

export type { PayableRow } from './review.queries.ts';
export type { WithdrawalRow } from './withdrawals.queries.ts';
export const listPayable = reviews.listPayable;
export const lockPending = queries.lockPending;
export const lockPendingOf = queries.lockPendingOf;

/** A payer's report on an attempt. */
export type Outcome = { state: 'paid'; reference: string } | { state: 'failed' | 'returned'; reason: string };

/** Runs in the transaction of a payment, if it changed something. */
export type AttemptListener = (trx: Transaction<Tables>, attempt: AttemptRow, now: Date) => Promise<void>;

/**
 * Records a payer's report on an attempt; a repeated report changes nothing. A return that arrives before the report of the payment means
 * that it was not paid. Returns whether something changed. `check` throws if the caller may not record it.
 */
export async function recordPayment(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  attemptId: string,
  outcome: Outcome,
  {
    operatorId,
    listener,
    check,
    afterRestore = false,
  }: {
    operatorId: string | null;
    listener: AttemptListener;
    check?: (attempt: AttemptRow) => void;
    afterRestore?: boolean;
  },
): Promise<boolean> {
  if (!afterRestore) await mustBeUnlocked(context.db);
  const known = await findAttempt(context.db, attemptId);
  if (!known) throw notFound('payment');
  check?.(known);
  let changed = false;
  const noted: AttemptListener = async (...change) => {
    changed = true;
    await listener(...change);
  };
  if (outcome.state === 'paid') {
    const reference = await referenceOf(context, known, { given: outcome.reference.trim(), afterRestore });
    await completeWithdrawal(
      context,
      known.withdrawal_id,
      { reference, operatorId, paidBy: { attemptId }, afterRestore },
      (trx, _, now) => noted(trx, known, now),
    );
    return changed;
  }
  const now = context.clock();
  await inTransaction(context.db, async (trx) => {
    const row = await lockWithdrawal(trx, known.withdrawal_id);
    await mustNotBeOwn(trx, row, operatorId);
    const attempt = await findAttempt(trx, attemptId);
    if (
      !attempt ||
      attempt.state === outcome.state ||
      (attempt.state === 'failed' && outcome.state === 'returned')
    )
      return;
    // A paid attempt may be returned.
    if (!isWithPayer(attempt) && !(attempt.state === 'paid' && outcome.state === 'returned'))
      throw ended(attempt);
    check?.(attempt);
    const state = attempt.state === 'paid' ? 'returned' : 'failed';
    const reason = outcome.reason.trim();
    await endAttempt(trx, attempt, { state, reason, by: operatorId }, now);
    let pending = row;
    if (state === 'returned') {
      await postStep(trx, row, { step: 'returned', attempt: attempt.number, operatorId }, now);
      pending = await queries.reopen(trx, row.id);
    }
    await notifyPayment(trx, context, pending, { step: `withdrawal_${state}`, note: reason });
    await noted(trx, { ...attempt, state, reason }, now);
  });
  return changed;
}

/** A bank may pay a file as one transfer, with one reference for all of it: then the attempt's id is added to the reference. */
async function referenceOf(
  { db }: Context<'db'>,
  attempt: AttemptRow,
  { given, afterRestore }: { given: string; afterRestore: boolean },
): Promise<string> {
  const withId = `${given} ${attempt.id}`;
  if (attempt.reference === withId) return withId;
  const other = await findByReference(db, given);
  if (!other || other.id === attempt.id || attempt.payer) return given;
  // The same reference in another batch is an error of the operator or the bank.
  const isOfOneFile = other.batch_id !== null && other.batch_id === attempt.batch_id;
  return isOfOneFile || afterRestore ? withId : given;
}
