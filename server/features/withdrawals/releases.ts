import type { Transaction } from 'kysely';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { isPaidToOperator } from '../destinations/own-money.ts';
import { addToMonths } from '../month-counts/months.ts';
import { insertAdjustment, listAdjustments, listCreatorsWaiting } from '../months/adjustments.ts';
import { firstUncounted } from '../months/closing.ts';
import { type AdjustmentRow, type VoidedViews, viewsAboveLimit, voidable } from '../months/money.ts';
import { payOf } from '../months/month-pay.ts';
import { lockMonths } from '../months/month-rows.ts';
import { attemptsOf, isWithPayer } from './attempts.ts';
import { notifyMonthDecision } from './payout-notices.ts';
import {
  isTakenIn,
  lastOfMonths,
  lockAgainstDeletion,
  lockPendingOf,
  type WithdrawalRow,
} from './withdrawals.queries.ts';

/** A creator's month. */
export interface ReleaseScope {
  creatorId: string;
  month: string;
}

/** Runs in the transaction of a decision, if it changed something. */
export interface ReleaseListener {
  released(trx: Transaction<Tables>, release: AdjustmentRow): Promise<void>;
  voided(trx: Transaction<Tables>, declared: AdjustmentRow): Promise<void>;
}

export interface Decision {
  reason: string;
  operatorId: string | null;
  listener?: Partial<ReleaseListener>;
}

type Needed = Context<'clock' | 'config' | 'outbox'>;

/** Releases the waiting views of a creator's finished month. Undefined if there are none. */
export async function releaseMonth(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  which: ReleaseScope,
  decision: Decision,
): Promise<AdjustmentRow | undefined> {
  return await inTransaction(context.db, (trx) => releaseIn(trx, context, which, decision));
}

/** Releases the waiting views of a month of all creators, each in its own transaction. */
export async function releaseMonthOfAll(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  month: string,
  decision: Decision,
): Promise<AdjustmentRow[]> {
  const released: AdjustmentRow[] = [];
  for (const creatorId of await listCreatorsWaiting(context.db, month)) {
    const release = await releaseMonth(context, { creatorId, month }, decision);
    if (release) released.push(release);
  }
  return released;
}

/**
 * Voids views of a creator's finished month: those above the limit, waiting or released, or those that pay. Undefined if there are none, or
 * they are already void.
 */
export async function voidMonth(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  which: ReleaseScope & { what: VoidedViews },
  decision: Decision,
): Promise<AdjustmentRow | undefined> {
  return await inTransaction(context.db, (trx) => voidIn(trx, context, which, decision));
}

/** A decision about the views of a withdrawal's months, made together with the decision about the withdrawal. */
export interface WaitingDecision extends Omit<Decision, 'operatorId'> {
  waiting: 'release' | 'void' | 'void_paid';
}

/** In the transaction that decides a withdrawal: decides about the views of its month and of the carried ones. */
export async function decideWaiting(
  trx: Transaction<Tables>,
  context: Needed,
  {
    creator_id: creatorId,
    month,
    carried,
  }: Pick<Tables['withdrawals'], 'creator_id' | 'month'> & {
    carried: readonly { month: string }[];
  },
  { months, operatorId }: { months?: WaitingDecision | undefined; operatorId: string | null },
): Promise<void> {
  if (!months) return;
  const { waiting, ...said } = months;
  const decision = { ...said, operatorId };
  for (const which of [...carried, { month }].map((paid) => ({ creatorId, month: paid.month }))) {
    if (waiting === 'release') await releaseIn(trx, context, which, decision);
    else await voidIn(trx, context, { ...which, what: 'waiting' }, decision);
    if (waiting === 'void_paid') await voidIn(trx, context, { ...which, what: 'paid' }, decision);
  }
}

/** The coins of released views count in the current month, so that no past month changes. */
async function releaseIn(
  trx: Transaction<Tables>,
  context: Needed,
  which: ReleaseScope,
  { reason, operatorId, listener }: Decision,
): Promise<AdjustmentRow | undefined> {
  const locked = await lockFinishedMonth(trx, context, which, operatorId);
  if (!locked || locked.pay.waitingViews === 0) return undefined;
  const { now, current, pay } = locked;
  const release = {
    ...rowOf(which, now, { reason, operatorId }),
    kind: 'released' as const,
    counts_in: current,
    ...viewsAboveLimit(pay.withOwnWorks),
  };
  await insertAdjustment(trx, release);
  await lockCurrentMonth(trx, which, current);
  await notifyMonthDecision(trx, context, 'month_released', release);
  await listener?.released?.(trx, release);
  return release;
}

/**
 * The coins of voided views are taken back in the month in which they count, or in the current one if that month or a later one is paid or
 * requested.
 */
async function voidIn(
  trx: Transaction<Tables>,
  context: Needed,
  { what, ...which }: ReleaseScope & { what: VoidedViews },
  { reason, operatorId, listener }: Decision,
): Promise<AdjustmentRow | undefined> {
  const found = await lockVoidable(trx, context, { what, ...which }, operatorId);
  if (!found) return undefined;
  const { now, months, current, views, coins, countsIn } = found;
  const isTaken = isTakenIn(await lastOfMonths(trx, which.creatorId));
  const isOpen = !months.some(({ month }) => month >= countsIn && isTaken(month));
  const declared = {
    ...rowOf(which, now, { reason, operatorId }),
    ...{ kind: `void_${what}` as const, counts_in: isOpen ? countsIn : current, views, coins },
  };
  await insertAdjustment(trx, declared);
  if (!isOpen) await lockCurrentMonth(trx, which, current);
  await notifyMonthDecision(trx, context, 'month_void', declared);
  await listener?.voided?.(trx, declared);
  return declared;
}

/** What of a month can be void, which is locked as `lockFinishedMonth` does; undefined for nothing, or if it is void already. */
async function lockVoidable(
  trx: Transaction<Tables>,
  context: Needed,
  { what, ...which }: ReleaseScope & { what: VoidedViews },
  operatorId: string | null,
) {
  const locked = await lockFinishedMonth(trx, context, which, operatorId);
  if (!locked) return undefined;
  const { pay, adjustments, ...rest } = locked;
  const isVoid = adjustments.some((row) => row.month === which.month && row.kind === `void_${what}`);
  const found = voidable(pay, what);
  return isVoid || found.views === 0 ? undefined : { ...rest, ...found };
}

/**
 * The pending withdrawals that keep the coins of these views from being taken back in the month in which they count, because they are of that
 * month or of a later one: a void rejects them first. They are locked before the months, as in a payment. Without those that the payer has.
 */
export async function lockInWayOf(
  trx: Transaction<Tables>,
  context: Needed,
  which: ReleaseScope & { what: VoidedViews },
  operatorId: string | null,
): Promise<WithdrawalRow[]> {
  await lockPendingOf(trx, which.creatorId);
  const found = await lockVoidable(trx, context, which, operatorId);
  if (!found || found.coins === 0) return [];
  // Again, since another one may have been requested before the months were locked.
  const rows = await lockPendingOf(trx, which.creatorId);
  const attempts = await attemptsOf(trx, rows);
  return rows.filter(
    ({ id, month }) => month >= found.countsIn && !(attempts.get(id) ?? []).some(isWithPayer),
  );
}

const rowOf = (
  { creatorId, month }: ReleaseScope,
  at: Date,
  { reason, operatorId }: Pick<Decision, 'reason' | 'operatorId'>,
) => ({ id: newId(at), creator_id: creatorId, month, work_id: null, reason, at, by: operatorId });

/**
 * Reads a finished month after locking the creator and all months, in the same order as a withdrawal. Undefined for the operator's own
 * money.
 */
async function lockFinishedMonth(
  trx: Transaction<Tables>,
  context: Needed,
  { creatorId, month }: ReleaseScope,
  operatorId: string | null,
) {
  const now = context.clock();
  const current = monthOf(now, context.config.timeZone);
  if (await isPaidToOperator(trx, operatorId, creatorId)) return undefined;
  // Before its row is read: if the counting ends in between, the row is still an estimate.
  if (month >= (await firstUncounted({ ...context, db: trx }))) return undefined;
  await lockAgainstDeletion(trx, creatorId);
  const months = await lockMonths(trx, creatorId, current);
  const adjustments = await listAdjustments(trx, creatorId);
  const its = months.filter((row) => row.month === month);
  const [pay] = await payOf({ ...context, db: trx }, creatorId, its, adjustments);
  return pay && { now, current, months, adjustments, pay };
}

/** Locks the current month, also one without a row until now, so that its withdrawal is computed before or after. */
async function lockCurrentMonth(
  trx: Transaction<Tables>,
  { creatorId }: ReleaseScope,
  month: string,
): Promise<void> {
  await addToMonths(trx, [{ creatorId, month }]);
}
