import type { Transaction } from 'kysely';
import { rupeesOf } from '#contract/earning-rules.ts';
import type { Withdrawal } from '#contract/earnings.ts';
import type { Page } from '#contract/fields.ts';
import { monthKey } from '#contract/month.ts';
import type { MonthMark, RiskMark, WithdrawalForReview, YearlyTotal } from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import { isUniqueViolation } from '#server/platform/database/conflicts.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import {
  listSharing,
  mustBeReady,
  type Readiness,
  readinessOf,
  type Waiting,
} from '../destinations/destination.ts';
import { listMarked, lockMonths, usualCoins } from '../months/month-rows.ts';
import { listProposedVoids } from '../proposals/proposals.ts';
import {
  attemptsOf,
  attemptToComplete,
  isCancelled,
  lastNumber,
  markPaid,
  referenceIndex,
  withdrawFromBatch,
} from './attempts.ts';
import { postStep } from './ledger.ts';
import { mustNotBeOwn } from './own-withdrawal.ts';
import { mustBeUnlocked } from './payout-lock.ts';
import { notifyDecided, notifyPayment } from './payout-notices.ts';
import { decideWaiting, type WaitingDecision } from './releases.ts';
import * as reviews from './review.queries.ts';
import { unpaidByHand } from './unpaid-by-hand.ts';
import { listWaitingOf } from './waiting-views.ts';
import * as queries from './withdrawals.queries.ts';
import { asWithdrawal, showWithdrawal } from './withdrawals.ts';

/** Runs in the transaction of a decision, if the decision changed something. */
export type ReviewListener = (trx: Transaction<Tables>, withdrawal: Withdrawal, now: Date) => Promise<void>;

const day = 24 * 60 * 60 * 1000;
const risk = {
  /** Maximum age of the account at the request, in days. */
  newAccountDays: 30,
  /** Multiple of the average of the creator's earlier months. */
  overUsual: 5,
};

/** Withdrawals of all creators with their risk marks, and the views that wait in their months: pending ones oldest first, all others newest first. */
export async function listWithdrawals(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  which: Page & { state?: Withdrawal['status'] | undefined; month?: string | undefined },
): Promise<{ data: WithdrawalForReview[]; nextCursor: string | null }> {
  const rows = await reviews.list(
    context.db,
    { state: which.state, month: monthKey(which.month ?? '') },
    which.limit + 1,
    readCursor(which.cursor),
  );
  const position = (row: reviews.ReviewRow) => ({ at: row.requested_at, id: row.id });
  return pageOf(rows, which.limit, position, await shownOf(context, rows));
}

/** A withdrawal as in the list. */
export async function findForReview(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  id: string,
): Promise<WithdrawalForReview> {
  const rows = await reviews.list(context.db, { ids: [id] }, 1, undefined);
  const [row] = rows;
  if (!row) throw notFound('withdrawal');
  return (await shownOf(context, rows))(row);
}

async function shownOf(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  rows: readonly reviews.ReviewRow[],
): Promise<(row: reviews.ReviewRow) => WithdrawalForReview> {
  const [judged, attempts, waiting] = await Promise.all([
    judge(context, rows),
    attemptsOf(context.db, rows),
    listWaitingOf(context, rows),
  ]);
  const waitingIn = Map.groupBy(waiting, ({ withdrawalId }) => withdrawalId);
  return (row) => {
    const { ready, marks, evidence } = judged(row);
    return {
      ...asWithdrawal(row, { waiting: ready?.waiting ?? null, attempts: attempts.get(row.id) }),
      name: row.name ?? '',
      username: row.username ?? '',
      email: row.email ?? '',
      joinedAt: row.joined_at?.toISOString() ?? null,
      suspendedAt: row.suspended_at?.toISOString() ?? null,
      destination: ready?.masked ?? null,
      evidence,
      waitingViews: sumOf(waitingIn.get(row.id), 'views'),
      waitingCoins: sumOf(waitingIn.get(row.id), 'coins'),
      marks,
    };
  };
}

/** The risk marks of these withdrawals, by id. */
export async function marksOfWithdrawals(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  ids: readonly string[],
): Promise<Map<string, RiskMark[]>> {
  const rows = await reviews.list(context.db, { ids }, ids.length, undefined);
  const judged = await judge(context, rows);
  return new Map(rows.map((row) => [row.id, judged(row).marks]));
}

/** Judges these withdrawals: their marks, and what the pending ones wait for. */
async function judge(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  rows: readonly reviews.ReviewRow[],
): Promise<(row: reviews.ReviewRow) => Judgement> {
  const pending = rows.filter(({ state }) => state === 'pending').map((row) => row.creator_id);
  const paidMonths = rows.flatMap(({ id, creator_id: creatorId, month, carried }) =>
    [...carried, { month }].map((paid) => ({ id, creatorId, month: paid.month })),
  );
  const [readiness, sharing, again, marked, usual] = await Promise.all([
    readinessOf(context, pending),
    listSharing(context.db, pending),
    unpaidByHand(context.db, rows),
    listMarked(context.db, paidMonths),
    usualCoins(context.db, rows),
  ]);
  const evidenceOf = Map.groupBy(marked, ({ id }) => id);
  return (row) => {
    const ready = row.state === 'pending' ? readiness.get(row.creator_id) : undefined;
    const evidence = (evidenceOf.get(row.id) ?? []).map(({ month, mark }) => ({ ...mark, month }));
    const marks = marksOf(row, {
      evidence,
      usualCoins: usual.get(row.id) ?? null,
      waiting: ready?.waiting,
      isUnreadable: ready?.unreadable ?? false,
      isShared: ready !== undefined && sharing.has(row.creator_id),
      isRetried: again.has(row.id),
    });
    return { ready, marks, evidence };
  };
}

const sumOf = <Of extends string>(rows: readonly Record<Of, number>[] | undefined, of: Of) =>
  (rows ?? []).reduce((sum, row) => sum + row[of], 0);

/** What was paid to each creator in a financial year, by the ledger. */
export async function listYearlyTotals(
  { db, config }: Context<'db' | 'config'>,
  year: number,
  page: Page,
): Promise<{ data: YearlyTotal[]; nextCursor: string | null }> {
  const inYear = { year, timeZone: config.timeZone };
  const rows = await reviews.listPaidInYear(db, inYear, page.limit + 1, readCursor(page.cursor));
  const position = (row: reviews.YearRow) => ({ at: row.last_paid_at, id: row.creator_id });
  return pageOf(rows, page.limit, position, (row) => ({
    userId: row.creator_id,
    name: row.name ?? '',
    username: row.username ?? '',
    payments: row.payments,
    paidPaise: row.paise,
    rupees: rupeesOf(row.paise),
  }));
}

interface Judgement {
  ready: Readiness | undefined;
  marks: RiskMark[];
  /** Marks of the months that it pays. */
  evidence: WithdrawalForReview['evidence'];
}

interface Judging extends Pick<Judgement, 'evidence'> {
  /** Average coins of the creator's earlier months, withdrawn or not; null without any. */
  usualCoins: number | null;
  waiting: Waiting | null | undefined;
  /** A destination is stored and cannot be decrypted any more. */
  isUnreadable: boolean;
  /** Another account is paid at the same destination. */
  isShared: boolean;
  /** An operator recorded that an earlier payment was not made. */
  isRetried: boolean;
}

function marksOf(
  row: reviews.ReviewRow,
  { evidence, usualCoins, waiting, isUnreadable, isShared, isRetried }: Judging,
): RiskMark[] {
  const age = row.joined_at ? row.requested_at.getTime() - row.joined_at.getTime() : Number.POSITIVE_INFINITY;
  const marks: Record<Exclude<RiskMark, MonthMark>, boolean> = {
    account_gone: row.joined_at === null,
    suspended: row.suspended_at !== null,
    new_account: age < risk.newAccountDays * day,
    far_over_usual: usualCoins !== null && row.coins > usualCoins * risk.overUsual,
    retried: isRetried,
    no_destination: waiting === 'waiting_for_destination' && !isUnreadable,
    unreadable_destination: isUnreadable,
    name_not_taken: waiting === 'waiting_for_name',
    address_not_verified: waiting === 'waiting_for_address',
    on_hold: waiting === 'on_hold',
    shared_destination: isShared,
  };
  const now = (Object.keys(marks) as (keyof typeof marks)[]).filter((mark) => marks[mark]);
  return [...new Set([...now, ...evidence.map(({ mark }) => mark)])];
}

/** What a payment by hand must fulfil beside all others (`server/features/payers/by-hand.ts`). */
export interface ByHand {
  /** Runs first, since batches lock in this order. */
  lockBatches(trx: Transaction<Tables>): Promise<void>;
  mustNotBeNew(trx: Transaction<Tables>, operatorId: string | null, now: Date): Promise<void>;
  mustBePayableAlone(
    trx: Transaction<Tables>,
    context: Context<'clock' | 'config'>,
    operatorId: string | null,
    row: queries.WithdrawalRow,
  ): Promise<{ isAgain(withdrawalId: string): boolean }>;
}

export interface Completion {
  reference: string;
  operatorId: string | null;
  /** Told by the payer, who names the attempt, or paid by hand. */
  paidBy: { attemptId: string } | ByHand;
  /** The decision about the waiting views, made together with it. */
  months?: WaitingDecision | undefined;
  /** It comes from the payer's record that is compared after a restore. */
  afterRestore?: boolean;
}

/**
 * Marks a withdrawal as paid under the payer's reference, also one that its creator cancelled meanwhile. Repeating the same request changes
 * nothing. If two operators do it at the same time it is paid once, and the second one gets the first one's decision.
 */
export async function completeWithdrawal(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  id: string,
  { reference, operatorId, paidBy, months, afterRestore = false }: Completion,
  listener: ReviewListener = async () => undefined,
): Promise<Withdrawal> {
  const trimmed = textOf(reference, 100, 'reference');
  const now = context.clock();
  const [attemptId, alone] = 'attemptId' in paidBy ? [paidBy.attemptId, undefined] : [undefined, paidBy];
  return await inTransaction(context.db, async (trx) => {
    await alone?.lockBatches(trx);
    const row = await lockWithdrawal(trx, id);
    if (row.state === 'completed' && row.reference === trimmed) {
      await decideWaiting(trx, context, row, { months, operatorId });
      return await showWithdrawal(trx, row);
    }
    if (!afterRestore) await mustBeUnlocked(trx);
    await alone?.mustNotBeNew(trx, operatorId, now);
    // Its creator may cancel it while an operator pays it by hand.
    const wasCancelled = alone !== undefined && isCancelled(row);
    if (!wasCancelled) mustBePending(row);
    await mustNotBeOwn(trx, row, operatorId);
    const attempt = await attemptToComplete(trx, row, attemptId);
    // A payment that was sent is recorded, whatever happened to the account in the meantime.
    const byHand =
      attempt || !alone ? undefined : await mustBePayable({ ...context, db: trx }, operatorId, row, alone);
    if (wasCancelled) await mustNotBeRequestedAgain(trx, row);
    if (byHand?.isAgain) await notifyPayment(trx, context, row, { step: 'withdrawal_retried' });
    const paid = { attempt, reference: trimmed, fingerprint: byHand?.fingerprint ?? null };
    const decided = await markPaid(trx, row, paid, now)
      .then(async (number) => {
        if (wasCancelled) await postStep(trx, row, { step: 'requested', attempt: number, operatorId }, now);
        await postStep(trx, row, { step: 'completed', attempt: number, operatorId }, now);
        return await queries.decide(trx, id, { state: 'completed', reference: trimmed }, { operatorId, now });
      })
      .catch((error: unknown) => {
        if (![queries.referenceConstraint, referenceIndex].some((index) => isUniqueViolation(error, index)))
          throw error;
        throw new Refusal('reference_used', {}, 'reference');
      });
    await notifyDecided(trx, context, decided);
    await decideWaiting(trx, context, decided, { months, operatorId });
    const shown = await showWithdrawal(trx, decided);
    await listener(trx, shown, now);
    return shown;
  });
}

/**
 * Throws one sentence for operators if the person is suspended or cannot be paid yet, if it is proposed that their views are void, or if this
 * operator may not pay it alone. Returns where it is paid, and whether it was paid before.
 */
async function mustBePayable(
  context: Context<'clock' | 'config' | 'keyring' | 'outbox'> & { db: Transaction<Tables> },
  operatorId: string | null,
  row: queries.WithdrawalRow,
  { mustBePayableAlone }: ByHand,
): Promise<{ fingerprint: Buffer | null; isAgain: boolean }> {
  if (await queries.isSuspended(context.db, row.creator_id)) {
    throw new Refusal('person_suspended', { what: 'withdrawal' });
  }
  if ((await listProposedVoids(context.db, [row.creator_id], context.clock())).size > 0)
    throw new Refusal('second_operator', { what: 'void_proposed' });
  // The person is locked, so that their destination does not change until this is decided.
  const { fingerprint } = await mustBeReady(context, row.creator_id);
  const { isAgain } = await mustBePayableAlone(context.db, context, operatorId, row);
  return { fingerprint, isAgain: isAgain(row.id) };
}

/**
 * Rejects a withdrawal with a reason for its creator, who may then request the month again. Repeating the same
 * request changes nothing.
 */
export async function rejectWithdrawal(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  id: string,
  {
    reason,
    operatorId,
    months,
  }: { reason: string; operatorId: string | null; months?: WaitingDecision | undefined },
  listener: ReviewListener = async () => undefined,
): Promise<Withdrawal> {
  const trimmed = textOf(reason, 500, 'reason');
  const now = context.clock();
  return await inTransaction(context.db, async (trx) => {
    const row = await lockWithdrawal(trx, id);
    if (row.state === 'rejected' && row.reason === trimmed) {
      await decideWaiting(trx, context, row, { months, operatorId });
      return await showWithdrawal(trx, row);
    }
    await mustBeUnlocked(trx);
    mustBePending(row);
    await mustNotBeOwn(trx, row, operatorId);
    await withdrawFromBatch(trx, row, now);
    await postStep(trx, row, { step: 'rejected', attempt: await lastNumber(trx, row), operatorId }, now);
    const decided = await queries.decide(
      trx,
      id,
      { state: 'rejected', reason: trimmed },
      { operatorId, now },
    );
    await notifyDecided(trx, context, decided);
    await decideWaiting(trx, context, decided, { months, operatorId });
    const shown = await showWithdrawal(trx, decided);
    await listener(trx, shown, now);
    return shown;
  });
}

export async function lockWithdrawal(trx: Transaction<Tables>, id: string): Promise<queries.WithdrawalRow> {
  const row = await queries.lockWithdrawal(trx, id);
  if (!row) throw notFound('withdrawal');
  return row;
}

function mustBePending(row: queries.WithdrawalRow): void {
  if (row.state === 'completed')
    throw new Refusal('withdrawal_decided', { what: 'paid', reference: row.reference ?? '' });
  if (row.state === 'rejected')
    throw new Refusal('withdrawal_decided', { what: 'rejected', reason: row.reason ?? '' });
}

/**
 * Throws if a month of this cancelled withdrawal is in another request, which then is the one that was paid. None can be requested during
 * this transaction.
 */
async function mustNotBeRequestedAgain(
  trx: Transaction<Tables>,
  { creator_id: creatorId, month, carried }: queries.WithdrawalRow,
): Promise<void> {
  await lockMonths(trx, creatorId, month);
  const decisive = await queries.lastOfMonths(trx, creatorId);
  const isTaken = queries.isTakenIn(decisive);
  const taken = [{ month }, ...carried].map((paid) => paid.month).find(isTaken);
  const other = taken && decisive.get(taken);
  if (other) throw new Refusal('withdrawal_decided', { what: 'again', withdrawal: other.id });
}

function textOf(text: string, atMost: number, field: 'reference' | 'reason'): string {
  const trimmed = text.trim();
  if (trimmed === '')
    throw new Refusal('invalid_input', { what: field === 'reason' ? 'reason_creator' : field }, field);
  if (trimmed.length > atMost) throw new Refusal('invalid_input', { what: 'too_long', most: atMost }, field);
  return trimmed;
}

export const countPendingWithdrawals = reviews.countPendingWithdrawals;
