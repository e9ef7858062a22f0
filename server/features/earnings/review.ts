import type { Transaction } from 'kysely';
import type { Withdrawal } from '#contract/earnings.ts';
import type { Page } from '#contract/fields.ts';
import { monthKey } from '#contract/month.ts';
import type { NightlyMark, RiskMark, WithdrawalForReview, YearlyTotal } from '#contract/operators.ts';
import { rupeesOf } from '#contract/rates.ts';
import type { SentenceOf } from '#contract/sentences.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import { isUniqueViolation } from '#server/platform/database/conflicts.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import {
  attemptsOf,
  attemptToComplete,
  markPaid,
  referenceIndex,
  withdrawFromBatch,
} from '../payouts/attempts.ts';
import { listSharing, mustBeReady, readinessOf, type Waiting } from '../payouts/destination.ts';
import { mustBeUnlocked } from '../payouts/lock.ts';
import { postStep } from './ledger.ts';
import { worthOf } from './month-pay.ts';
import { findMonthRules, type MonthRules } from './month-rules.ts';
import { notifyDecided } from './payout-notices.ts';
import { decideWaiting, type WaitingDecision } from './releases.ts';
import * as reviews from './review.queries.ts';
import { listWaitingOf } from './waiting.ts';
import * as queries from './withdrawals.queries.ts';
import { asWithdrawal, showWithdrawal } from './withdrawals.ts';

/** Runs in the transaction of a decision, if the decision changed something. */
type Done = (trx: Transaction<Tables>, withdrawal: Withdrawal, now: Date) => Promise<void>;

const day = 24 * 60 * 60 * 1000;
const risk = {
  /** Maximum age of the account at the request, in days. */
  newAccountDays: 30,
  /** Number of viewers that are considered few. */
  topViewers: 5,
  /** Share of a month's counted views that is suspicious for so few viewers. */
  fewViewersShare: 0.5,
  /** Minimum of counted views for judging shares. */
  viewsToJudge: 20,
  /** Number of different viewers from one address in one month. */
  viewersOfOneAddress: 10,
  /** Multiple of the average of the creator's earlier months. */
  overUsual: 5,
};

/** Withdrawals of all creators, newest first, with their risk marks, and the views that wait in their months. */
export async function listWithdrawals(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  which: Page & { state?: Withdrawal['status'] | undefined; month?: string | undefined },
): Promise<{ data: WithdrawalForReview[]; nextCursor: string | null }> {
  const { db, config } = context;
  const rules = await findMonthRules(db);
  const rows = await reviews.list(
    db,
    {
      state: which.state,
      month: monthKey(which.month ?? ''),
      topViewers: risk.topViewers,
      timeZone: config.timeZone,
    },
    which.limit + 1,
    readCursor(which.cursor),
  );
  const pending = rows.filter(({ state }) => state === 'pending');
  const ids = pending.map((row) => row.creator_id);
  const [readiness, sharing, attempts, waiting] = await Promise.all([
    readinessOf(context, ids),
    listSharing(db, ids),
    attemptsOf(db, rows),
    listWaitingOf(context, rules, rows),
  ]);
  const waitingIn = Map.groupBy(waiting, ({ withdrawalId }) => withdrawalId);
  const position = (row: reviews.ReviewRow) => ({ at: row.requested_at, id: row.id });
  return pageOf(rows, which.limit, position, (row) => {
    const ready = row.state === 'pending' ? readiness.get(row.creator_id) : undefined;
    return {
      ...asWithdrawal(row, { waiting: ready?.waiting ?? null, attempts: attempts.get(row.id) }),
      name: row.name ?? '',
      username: row.username ?? '',
      email: row.email ?? '',
      destination: ready?.masked ?? null,
      evidence: row.evidence,
      waitingViews: sumOf(waitingIn.get(row.id), 'views'),
      waitingCoins: sumOf(waitingIn.get(row.id), 'coins'),
      marks: marksOf(row, {
        waiting: ready?.waiting,
        isUnreadable: ready?.unreadable ?? false,
        isShared: ready !== undefined && sharing.has(row.creator_id),
        rules,
      }),
    };
  });
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

interface Judging {
  waiting: Waiting | null | undefined;
  /** A destination is stored and cannot be decrypted any more. */
  isUnreadable: boolean;
  /** Another account is paid at the same destination. */
  isShared: boolean;
  rules: MonthRules;
}

function marksOf(row: reviews.ReviewRow, { waiting, isUnreadable, isShared, rules }: Judging): RiskMark[] {
  const age = row.joined_at ? row.requested_at.getTime() - row.joined_at.getTime() : Number.POSITIVE_INFINITY;
  const judged = row.views >= risk.viewsToJudge;
  const usual = usualOf(row.earlier_months, rules);
  const marks: Record<Exclude<RiskMark, NightlyMark> | 'few_viewers', boolean> = {
    account_gone: row.joined_at === null,
    suspended: row.suspended_at !== null,
    new_account: age < risk.newAccountDays * day,
    shared_address: row.top_address >= risk.viewersOfOneAddress,
    few_viewers: judged && row.top_viewers >= row.views * risk.fewViewersShare,
    far_over_usual: usual !== undefined && row.coins > usual * risk.overUsual,
    exported: row.exported,
    no_destination: waiting === 'waiting_for_destination' && !isUnreadable,
    unreadable_destination: isUnreadable,
    name_not_taken: waiting === 'waiting_for_name',
    address_not_verified: waiting === 'waiting_for_address',
    on_hold: waiting === 'on_hold',
    shared_destination: isShared,
  };
  const now = (Object.keys(marks) as (keyof typeof marks)[]).filter((mark) => marks[mark]);
  return [...new Set([...now, ...row.evidence.map(({ mark }) => mark)])];
}

/** Average coins of these months, each by its own rates, withdrawn or not; undefined without months. */
function usualOf(months: reviews.ReviewRow['earlier_months'], rules: MonthRules): number | undefined {
  if (months.length === 0) return undefined;
  return (
    months.reduce((sum, { month, ...counts }) => sum + worthOf(rules, month, counts, counts).coins, 0) /
    months.length
  );
}

interface Completion {
  reference: string;
  operatorId: string | null;
  /** The attempt that the payer names. */
  attemptId?: string;
  /** The decision about the waiting views, made together with it. */
  months?: WaitingDecision | undefined;
  /** It comes from the payer's record that is compared after a restore. */
  afterRestore?: boolean;
}

/**
 * Marks a withdrawal as paid under the payer's reference. Repeating the same request changes nothing. If two operators do it at the same
 * time it is paid once, and the second one gets the first one's decision.
 */
export async function completeWithdrawal(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  id: string,
  { reference, operatorId, attemptId, months, afterRestore = false }: Completion,
  done: Done = async () => undefined,
): Promise<Withdrawal> {
  const trimmed = textOf(reference, 100, "Please give the payer's reference.", 'reference');
  const now = context.clock();
  return await inTransaction(context.db, async (trx) => {
    const row = await lockWithdrawal(trx, id);
    if (row.state === 'completed' && row.reference === trimmed) {
      await decideWaiting(trx, context, row, { months, operatorId });
      return await showWithdrawal(trx, row);
    }
    if (!afterRestore) await mustBeUnlocked(trx);
    mustBePending(row);
    mustNotBeOwn(row, operatorId);
    const attempt = await attemptToComplete(trx, row, attemptId);
    // A payment that was sent is recorded, whatever happened to the account in the meantime.
    if (!attempt) await mustBePayable({ ...context, db: trx }, row.creator_id);
    const paid = { attempt, reference: trimmed };
    const decided = await markPaid(trx, row, paid, now)
      .then(async (number) => {
        await postStep(trx, row, { step: 'completed', attempt: number, operatorId }, now);
        return await queries.decide(trx, id, { state: 'completed', reference: trimmed }, { operatorId, now });
      })
      .catch((error: unknown) => {
        if (![queries.referenceConstraint, referenceIndex].some((index) => isUniqueViolation(error, index)))
          throw error;
        throw new Refusal(
          'reference_used',
          'Another withdrawal was paid with this reference. Please give the one of this payment.',
          'reference',
        );
      });
    await notifyDecided(trx, context, decided);
    await decideWaiting(trx, context, decided, { months, operatorId });
    const shown = await showWithdrawal(trx, decided);
    await done(trx, shown, now);
    return shown;
  });
}

/** Throws one sentence for operators if the person is suspended, or cannot be paid yet. */
async function mustBePayable(
  context: Context<'clock' | 'config' | 'keyring' | 'outbox'> & { db: Transaction<Tables> },
  creatorId: string,
): Promise<void> {
  if (await queries.isSuspended(context.db, creatorId)) {
    throw new Refusal(
      'person_suspended',
      'This account is suspended: reject the withdrawal, or restore the account first.',
    );
  }
  // The person is locked, so that their destination does not change until this is decided.
  await mustBeReady(context, creatorId);
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
  done: Done = async () => undefined,
): Promise<Withdrawal> {
  const trimmed = textOf(reason, 500, 'Please give a reason that the creator will understand.', 'reason');
  const now = context.clock();
  return await inTransaction(context.db, async (trx) => {
    const row = await lockWithdrawal(trx, id);
    if (row.state === 'rejected' && row.reason === trimmed) {
      await decideWaiting(trx, context, row, { months, operatorId });
      return await showWithdrawal(trx, row);
    }
    await mustBeUnlocked(trx);
    mustBePending(row);
    mustNotBeOwn(row, operatorId);
    await withdrawFromBatch(trx, row, now);
    await postStep(trx, row, { step: 'rejected', operatorId }, now);
    const decided = await queries.decide(
      trx,
      id,
      { state: 'rejected', reason: trimmed },
      { operatorId, now },
    );
    await notifyDecided(trx, context, decided);
    await decideWaiting(trx, context, decided, { months, operatorId });
    const shown = await showWithdrawal(trx, decided);
    await done(trx, shown, now);
    return shown;
  });
}

export async function lockWithdrawal(trx: Transaction<Tables>, id: string): Promise<queries.WithdrawalRow> {
  const row = await queries.lockWithdrawal(trx, id);
  if (!row) throw notFound('There is no such withdrawal.');
  return row;
}

function mustBePending(row: queries.WithdrawalRow): void {
  if (row.state === 'completed')
    throw new Refusal(
      'withdrawal_decided',
      `This withdrawal was already paid, with the reference ${row.reference}.`,
    );
  if (row.state === 'rejected')
    throw new Refusal('withdrawal_decided', `This withdrawal was already rejected: ${row.reason}`);
}

/** Operators may not decide about their own money. */
export function mustNotBeOwn({ creator_id }: queries.WithdrawalRow, operatorId: string | null): void {
  if (creator_id === operatorId)
    throw new Refusal('own_withdrawal', 'This is your own withdrawal: another operator decides it.');
}

function textOf(text: string, atMost: number, missing: SentenceOf<'invalid_input'>, field: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new Refusal('invalid_input', missing, field);
  if (trimmed.length > atMost)
    throw new Refusal('invalid_input', `Please keep this under ${atMost} characters.`, field);
  return trimmed;
}
