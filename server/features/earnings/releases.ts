import type { Transaction } from 'kysely';
import { rates } from '#contract/rates.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { isPaidToOperator } from '../payouts/own-money.ts';
import { lockMonths } from './earnings.queries.ts';
import { type MonthPay, payOf, viewsAboveLimit } from './month-pay.ts';
import { addToMonths } from './months.ts';
import { notifyMonthDecision } from './payout-notices.ts';
import * as queries from './releases.queries.ts';
import { isTakenIn, lastOfMonths, lockAgainstDeletion } from './withdrawals.queries.ts';

/** A creator's month. */
export interface Which {
  creatorId: string;
  month: string;
}

/** Runs in the transaction of a decision, if it changed something. */
export interface Done {
  released(trx: Transaction<Tables>, release: queries.ReleaseRow): Promise<void>;
  voided(trx: Transaction<Tables>, declared: queries.VoidRow): Promise<void>;
}

export interface Decision {
  reason: string;
  operatorId: string | null;
  done?: Partial<Done>;
}

type Needed = Context<'clock' | 'config' | 'outbox'>;

/** Releases the waiting views of a creator's finished month. Undefined if there are none. */
export async function releaseMonth(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  which: Which,
  decision: Decision,
): Promise<queries.ReleaseRow | undefined> {
  return await inTransaction(context.db, (trx) => releaseIn(trx, context, which, decision));
}

/** Releases the waiting views of a month of all creators, each in its own transaction. */
export async function releaseMonthOfAll(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  month: string,
  decision: Decision,
): Promise<queries.ReleaseRow[]> {
  const released: queries.ReleaseRow[] = [];
  for (const creatorId of await queries.listCreatorsAbove(context.db, month)) {
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
  which: Which & { what: queries.VoidRow['what'] },
  decision: Decision,
): Promise<queries.VoidRow | undefined> {
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
  for (const which of [...carried, { month }].map((one) => ({ creatorId, month: one.month }))) {
    if (waiting === 'release') await releaseIn(trx, context, which, decision);
    else await voidIn(trx, context, { ...which, what: 'waiting' }, decision);
    if (waiting === 'void_paid') await voidIn(trx, context, { ...which, what: 'paid' }, decision);
  }
}

/** The coins of released views count in the current month, so that no past month changes. */
async function releaseIn(
  trx: Transaction<Tables>,
  context: Needed,
  which: Which,
  { reason, operatorId, done }: Decision,
): Promise<queries.ReleaseRow | undefined> {
  const found = await lockMonth(trx, context, which, operatorId);
  if (!found || found.pay.waitingViews === 0) return undefined;
  const release = {
    creator_id: which.creatorId,
    month: which.month,
    counts_in: found.current,
    ...viewsAboveLimit(found.pay),
    reason,
    released_at: found.now,
    released_by: operatorId,
  };
  await queries.insertRelease(trx, release);
  await lockRunning(trx, which, found.current);
  await notifyMonthDecision(trx, context, 'month_released', release);
  await done?.released?.(trx, release);
  return release;
}

/**
 * The coins of voided views are taken back in the month in which they count, or in the current one if that month or a later one is paid or
 * requested.
 */
async function voidIn(
  trx: Transaction<Tables>,
  context: Needed,
  { what, ...which }: Which & { what: queries.VoidRow['what'] },
  { reason, operatorId, done }: Decision,
): Promise<queries.VoidRow | undefined> {
  const found = await lockMonth(trx, context, which, operatorId);
  if (!found || found.decided.voids.some((one) => one.month === which.month && one.what === what))
    return undefined;
  const { pay, months, current } = found;
  const { views, coins, countsIn } = voidable(pay, found.decided, what);
  if (views === 0) return undefined;
  const isTaken = isTakenIn(await lastOfMonths(trx, which.creatorId));
  const isOpen = !months.some(({ month }) => month >= countsIn && isTaken(month));
  const declared = {
    creator_id: which.creatorId,
    month: which.month,
    what,
    counts_in: isOpen ? countsIn : current,
    views,
    coins,
    reason,
    voided_at: found.now,
    voided_by: operatorId,
  };
  await queries.insertVoid(trx, declared);
  if (!isOpen) await lockRunning(trx, which, current);
  await notifyMonthDecision(trx, context, 'month_void', declared);
  await done?.voided?.(trx, declared);
  return declared;
}

/** The views that would be void, their coins, and the month in which these count. */
export function voidable(
  pay: MonthPay,
  { releases }: queries.Decided,
  what: queries.VoidRow['what'],
): { views: number; coins: number; countsIn: string } {
  const { month, paid } = pay;
  if (what === 'paid')
    return { views: paid.views, coins: Math.floor(paid.views / rates.viewsPerCoin), countsIn: month };
  const release = releases.find((one) => one.month === month);
  if (release) return { views: release.views, coins: release.coins, countsIn: release.counts_in };
  return { views: viewsAboveLimit(pay).views, coins: 0, countsIn: month };
}

/**
 * Reads a finished month after locking the creator and all months, in the same order as a withdrawal. Undefined for the operator's own
 * money.
 */
async function lockMonth(
  trx: Transaction<Tables>,
  context: Needed,
  { creatorId, month }: Which,
  operatorId: string | null,
) {
  const now = context.clock();
  const current = monthOf(now, context.config.timeZone);
  if (await isPaidToOperator(trx, operatorId, creatorId)) return undefined;
  await lockAgainstDeletion(trx, creatorId);
  const months = await lockMonths(trx, creatorId, current);
  const decided = await queries.listDecided(trx, creatorId);
  const its = months.filter((one) => one.month === month);
  const [pay] = await payOf({ ...context, db: trx }, creatorId, its, decided);
  return pay?.isCounted && { now, current, months, decided, pay };
}

/** Locks the current month, so that its withdrawal is computed before or after. */
async function lockRunning(trx: Transaction<Tables>, { creatorId }: Which, month: string): Promise<void> {
  await addToMonths(trx, [{ creatorId, month }]);
}
