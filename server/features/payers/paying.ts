import type { Transaction } from 'kysely';
import type { Destination } from '#contract/payouts.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { LostKeyError } from '#server/platform/keyring/keyring.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { logAct } from '../audit-log/audit-log.ts';
import { type ApiPayer, type PayerRecord, PayerRefused } from '../payer-services/payer.ts';
import {
  type AttemptRow,
  bindingOf,
  claimDueAttempt,
  endAttempt,
  findAttempt,
  isWithPayer,
  updateAttempt,
  wasHandedOver,
} from '../withdrawals/attempts.ts';
import { recordPayment } from '../withdrawals/payments.ts';
import { lockWithdrawal } from '../withdrawals/review.ts';
import { lockPayees, notPayable } from './payees.ts';

/*
 * Paying by the API of a payer (docs/decisions/0068-razorpayx.md). Each step can be interrupted and repeated: the attempt's id is the
 * idempotency key, a payment is looked up before it is requested, and the request is recorded before it is sent.
 */
export type PayingContext = Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>;

type Warn = (error: unknown, which: { attempt: string }) => void;
type PollResult = 'paid' | 'not_paid' | 'open' | 'unknown' | 'refused' | 'done';

const minute = 60 * 1000;
const day = 24 * 60 * minute;
/** More than one try may take. After this time another worker takes over the attempt of a killed one. */
const claimDuration = 5 * minute;
/** First and longest interval between two polls of one attempt; it doubles each time. */
const [firstPause, longestPause] = [minute, 60 * minute];
/** For this long after a payment its return is noticed even without a webhook. */
const pollPaidFor = 90 * day;
/** According to RazorpayX, a payment that it refuses and does not find after this time has never reached it. */
const lostAfter = 60 * minute;

/** Claims the attempt that is due first; undefined if none is due. */
export function claimNext(
  { db, clock }: Context<'db' | 'clock'>,
  payer: Pick<ApiPayer, 'name'>,
): Promise<AttemptRow | undefined> {
  const now = clock();
  return claimDueAttempt(db, payer.name, now, new Date(now.getTime() + claimDuration));
}

/** Pays an attempt, or finds out its state. It is polled again later until its outcome is known. */
export async function payOne(
  context: PayingContext,
  payer: ApiPayer,
  attempt: AttemptRow,
  warn: Warn,
): Promise<PollResult> {
  try {
    if (attempt.state !== 'paid' && !isWithPayer(attempt)) {
      await change(context, attempt, () => ({}));
      return 'done';
    }
    const record = await recordAt(context, payer, attempt);
    return record ? await applyRecord(context, payer, record, warn) : 'done';
  } catch (error) {
    warn(error, { attempt: attempt.id });
    if (error instanceof Unpayable) {
      await recordNotPaid(context, payer, attempt.id, error.message);
      return 'not_paid';
    }
    const now = context.clock();
    const refused = error instanceof PayerRefused || error instanceof LostKeyError;
    await change(context, attempt, (row) => ({
      state: row.called_at ? 'unknown' : row.state,
      payer_note: noteOf(error),
      look_at: nextPoll(row, now),
    }));
    return refused ? 'refused' : 'unknown';
  }
}

/** Nothing was requested from the payer, and nothing can be. */
class Unpayable extends Error {
  override name = 'Unpayable';
}

/** The payer's record of an attempt; the payment is requested if there is none. Undefined if it is not to be paid any more. */
async function recordAt(
  context: PayingContext,
  payer: ApiPayer,
  attempt: AttemptRow,
): Promise<PayerRecord | undefined> {
  if (attempt.payer_id) return await payer.look(attempt.payer_id);
  const payment = await payer.find(attempt.id);
  if (payment) return payment;
  const to = attempt.payer_account ?? (await register(context, payer, attempt));
  const before = await beginCall(context, payer, attempt, to);
  if (!before) return undefined;
  try {
    return await payer.pay({ id: attempt.id, paise: attempt.paise, withdrawal: attempt.withdrawal_id }, to);
  } catch (error) {
    if (error instanceof PayerRefused) {
      // This call did nothing, but an earlier one without a response may have.
      const since = before.called_at;
      const isLost = !since || context.clock().getTime() - since.getTime() >= lostAfter;
      await change(context, attempt, (row) => ({
        called_at: isLost ? null : since,
        state: isLost && row.state === 'unknown' ? 'sent' : row.state,
      }));
    }
    throw error;
  }
}

async function register(context: PayingContext, payer: ApiPayer, attempt: AttemptRow): Promise<string> {
  if (!attempt.destination) throw new Unpayable('Where to pay is not known any more');
  try {
    const destination: Destination = JSON.parse(
      await context.keyring.decrypt(attempt.destination, bindingOf(attempt.creator_id)),
    );
    return await payer.register(attempt.creator_id, destination);
  } catch (error) {
    if (error instanceof PayerRefused && error.isFinal) throw new Unpayable(error.message);
    throw error;
  }
}

/**
 * Records that the payment is being requested, and returns the attempt as it was before; undefined if it ended in the meantime. Before the
 * first request it ends as cancelled if its creator cannot be paid there any more, as when a batch is sent.
 */
async function beginCall(
  context: PayingContext,
  payer: Pick<ApiPayer, 'name'>,
  attempt: AttemptRow,
  to: string,
): Promise<AttemptRow | undefined> {
  return await inTransaction(context.db, async (trx) => {
    await lockWithdrawal(trx, attempt.withdrawal_id);
    const row = await findAttempt(trx, attempt.id);
    if (!row || !isWithPayer(row)) return undefined;
    const now = context.clock();
    if (!wasHandedOver(row)) {
      const people = await lockPayees({ ...context, db: trx }, [row], payer.name);
      if (!people.get(row.creator_id)?.canBePaidAt(row.fingerprint)) {
        await endAttempt(trx, row, { state: 'cancelled', reason: notPayable }, now);
        return undefined;
      }
    }
    await updateAttempt(trx, row.id, { called_at: now, payer_account: row.payer_account ?? to });
    return row;
  });
}

/**
 * Changes the current row of an attempt that the payer has, in its own transaction. Of one that has ended meanwhile only the time of its next
 * poll changes.
 */
async function change(
  { db, clock }: Context<'db' | 'clock'>,
  { id, withdrawal_id }: AttemptRow,
  to: (row: AttemptRow) => Parameters<typeof updateAttempt>[2],
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockWithdrawal(trx, withdrawal_id);
    const row = await findAttempt(trx, id);
    if (row) await updateAttempt(trx, id, isWithPayer(row) ? to(row) : { look_at: nextPoll(row, clock()) });
  });
}

/** Warns of a report that contradicts what is recorded, and stores it for operators, also with an attempt that has ended. */
async function noteContradiction(
  { db, clock }: Context<'db' | 'clock'>,
  { id, withdrawal_id }: AttemptRow,
  note: string,
  warn: Warn,
): Promise<void> {
  warn(new Error(note), { attempt: id });
  await inTransaction(db, async (trx) => {
    await lockWithdrawal(trx, withdrawal_id);
    const row = await findAttempt(trx, id);
    if (row) await updateAttempt(trx, id, { payer_note: note, look_at: nextPoll(row, clock()) });
  });
}

/**
 * Records a payer's report on a payment, polled or from a webhook, in any order and any number of times: a final outcome stays, except that
 * a paid one may be returned.
 */
export async function applyRecord(
  context: PayingContext,
  payer: Pick<ApiPayer, 'name'>,
  record: PayerRecord,
  warn: Warn,
): Promise<PollResult> {
  const attempt = record.attemptId ? await findAttempt(context.db, record.attemptId) : undefined;
  if (!attempt || attempt.payer !== payer.name) return 'done';
  const isAnother = attempt.payer_id !== null && attempt.payer_id !== record.id;
  if (isAnother || attempt.paise !== record.paise) {
    const note = 'The payer has another payment under this id: ask it about both.';
    await noteContradiction(context, attempt, note, warn);
    return 'refused';
  }
  await change(context, attempt, (row) => {
    const isNew = row.payer_id === null;
    return {
      payer_id: record.id,
      called_at: null,
      state: 'sent',
      payer_note: `${record.status}: ${record.why}`,
      ...(isNew ? { looks: 0 } : {}),
      look_at: nextPoll(isNew ? { ...row, looks: 0 } : row, context.clock()),
    };
  });
  if (record.state === 'paid' && !(await recordPaid(context, payer, attempt.id, record))) {
    const { state, ended_by } = (await findAttempt(context.db, attempt.id)) ?? attempt;
    const note = `The payer paid this (${record.reference ?? record.id}), although it was recorded as ${state}.`;
    // Where the payer itself reported the end, this is an older report of it.
    if (state === 'cancelled' || (state === 'failed' && ended_by))
      await noteContradiction(context, attempt, note, warn);
  }
  if (record.state === 'not_paid') await recordNotPaid(context, payer, attempt.id, record.why);
  return record.state;
}

/** Returns whether it is recorded as paid now. */
async function recordPaid(
  context: PayingContext,
  payer: Pick<ApiPayer, 'name'>,
  id: string,
  record: PayerRecord,
): Promise<boolean> {
  const { reference } = record;
  // If the bank gives no number, or gives it twice, the payer's own id identifies the payment.
  const references = reference ? [reference, `${reference} ${record.id}`] : [record.id];
  for (const reference of references) {
    const recorded = await recordOutcome(context, payer, id, { state: 'paid', reference });
    if (recorded !== 'reference_used') return recorded === 'recorded';
  }
  return false;
}

/** Records that a payment was returned, or was not made. */
async function recordNotPaid(
  context: PayingContext,
  payer: Pick<ApiPayer, 'name'>,
  id: string,
  reason: string,
): Promise<void> {
  await recordOutcome(context, payer, id, { state: 'returned', reason });
}

/** What became of a report: another outcome that is final stays, and a reference belongs to one payment only. */
async function recordOutcome(
  context: PayingContext,
  payer: Pick<ApiPayer, 'name'>,
  id: string,
  outcome: { state: 'paid'; reference: string } | { state: 'returned'; reason: string },
): Promise<'recorded' | 'ended' | 'reference_used'> {
  const listener = async (trx: Transaction<Tables>, attempt: AttemptRow, now: Date) => {
    const look_at = outcome.state === 'paid' ? new Date(now.getTime() + longestPause) : null;
    await updateAttempt(trx, id, { look_at, looks: 0, payer_note: null });
    const { state, ...said } = outcome;
    const isPaid = state === 'paid';
    const act = isPaid ? 'withdrawal.complete' : attempt.state === 'failed' ? 'payout.fail' : 'payout.return';
    const target = { kind: 'withdrawal', id: attempt.withdrawal_id };
    const details = { attempt: id, paise: attempt.paise, ...said };
    await logAct(trx, { id: null, name: payer.name }, { act, target, details }, now);
  };
  try {
    await recordPayment(context, id, outcome, { operatorId: null, listener });
    return 'recorded';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'payment_ended' || error.code === 'withdrawal_decided') return 'ended';
    if (error.code === 'reference_used') return 'reference_used';
    throw error;
  }
}

/** Null if no change is expected any more. */
function nextPoll({ looks, ...row }: AttemptRow, now: Date): Date | null {
  const { state, paid_at } = row;
  if (state === 'paid')
    return paid_at && now.getTime() - paid_at.getTime() < pollPaidFor ? new Date(now.getTime() + day) : null;
  if (!isWithPayer(row)) return null;
  const pause = Math.min(firstPause * 2 ** Math.max(0, looks - 1), longestPause);
  return new Date(now.getTime() + pause);
}

function noteOf(error: unknown): string {
  if (error instanceof LostKeyError) return 'Where to pay cannot be decrypted: bring back the keys';
  return error instanceof Error ? error.message : String(error);
}
