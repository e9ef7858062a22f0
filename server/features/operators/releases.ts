import type { Kysely } from 'kysely';
import { monthLabel } from '#contract/month.ts';
import type { DecidedMonth } from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import * as earnings from '../earnings/releases.ts';
import { isPaidToOperator } from '../payouts/own-money.ts';
import { logAct } from './audit-log.ts';
import type { Operator } from './operators.ts';

/** Releases the waiting views of a finished month, of one creator or of all, and logs each. Creators without waiting views are left out. */
export async function releaseMonth(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  operator: Operator,
  { month, creatorId, reason }: { month: string; creatorId: string | undefined; reason: string },
): Promise<DecidedMonth[]> {
  if (creatorId) await mustNotBeOwn(context.db, creatorId, operator);
  const decision = { reason, operatorId: operator.id, done: logMonths(operator) };
  const released =
    creatorId === undefined
      ? await earnings.releaseMonthOfAll(context, month, decision)
      : [await earnings.releaseMonth(context, { creatorId, month }, decision)];
  return released.flatMap((row) => (row ? [asDecided(row)] : []));
}

/**
 * Declares views of a creator's finished month void, and logs it: waiting or released ones, or those that pay. Undefined if there are none.
 */
export async function voidMonth(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  operator: Operator,
  { reason, ...which }: Parameters<typeof earnings.voidMonth>[1] & { reason: string },
): Promise<DecidedMonth | undefined> {
  await mustNotBeOwn(context.db, which.creatorId, operator);
  const decision = { reason, operatorId: operator.id, done: logMonths(operator) };
  const declared = await earnings.voidMonth(context, which, decision);
  return declared && asDecided(declared);
}

/** Operators may not decide about their own money. */
async function mustNotBeOwn(db: Kysely<Tables>, creatorId: string, { id }: Operator): Promise<void> {
  if (await isPaidToOperator(db, id, creatorId)) throw new Refusal('own_withdrawal', { what: 'month' });
}

/** Logs decisions about the views of a month, in their transaction. */
export function logMonths(operator: Operator): earnings.Done {
  const target = (id: string) => ({ kind: 'person', id });
  return {
    async released(trx, { creator_id: id, month, views, coins, reason, at }) {
      const details = { reason, month, views, coins };
      await logAct(trx, operator, { act: 'month.release', target: target(id), details }, at);
    },
    async voided(trx, { creator_id: id, month, kind, views, coins, reason, at }) {
      const what = kind === 'void_paid' ? 'paid' : 'waiting';
      const details = { reason, month, what, views, coins: Math.abs(coins) };
      await logAct(trx, operator, { act: 'month.void', target: target(id), details }, at);
    },
  };
}

/** What is decided about waiting views together with a withdrawal, and logged; undefined for nothing. */
export function withWaiting(
  operator: Operator,
  {
    waiting,
    reason,
  }: { waiting?: earnings.WaitingDecision['waiting'] | undefined; reason?: string | undefined },
): earnings.WaitingDecision | undefined {
  return waiting && reason !== undefined ? { waiting, reason, done: logMonths(operator) } : undefined;
}

function asDecided(row: {
  creator_id: string;
  month: string;
  views: number;
  coins: number;
  counts_in: string;
}): DecidedMonth {
  const { creator_id: userId, month, views, coins, counts_in: countsIn } = row;
  return { userId, month, monthLabel: monthLabel(month), views, coins: Math.abs(coins), countsIn };
}
