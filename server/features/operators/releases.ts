import type { Kysely } from 'kysely';
import { monthLabel } from '#contract/month.ts';
import type { DecidedMonth } from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import { isPaidToOperator } from '../destinations/own-money.ts';
import { logMonths } from '../withdrawals/logged-releases.ts';
import * as earnings from '../withdrawals/releases.ts';
import { rejectWithdrawal } from './withdrawals.ts';

/** Releases the waiting views of a finished month, of one creator or of all, and logs each. Creators without waiting views are left out. */
export async function releaseMonth(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  operator: Operator,
  { month, creatorId, reason }: { month: string; creatorId: string | undefined; reason: string },
): Promise<DecidedMonth[]> {
  if (creatorId) await mustNotBeOwn(context.db, creatorId, operator);
  const decision = { reason, operatorId: operator.id, listener: logMonths(operator) };
  const released =
    creatorId === undefined
      ? await earnings.releaseMonthOfAll(context, month, decision)
      : [await earnings.releaseMonth(context, { creatorId, month }, decision)];
  return released.flatMap((row) => (row ? [asDecided(row)] : []));
}

/**
 * Declares views of a creator's finished month void, and logs it: waiting or released ones, or those that pay. Undefined if there are none.
 * Pending withdrawals that would pay their coins, or later ones, are rejected with the same reason, so that the month itself is lowered.
 */
export async function voidMonth(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  operator: Operator,
  { reason, ...which }: Parameters<typeof earnings.voidMonth>[1] & { reason: string },
): Promise<DecidedMonth | undefined> {
  return await inTransaction(context.db, async (trx) => {
    const within = { ...context, db: trx };
    await mustNotBeOwn(trx, which.creatorId, operator);
    for (const { id } of await earnings.lockInWayOf(trx, context, which, operator.id))
      await rejectWithdrawal(within, operator, id, { reason });
    const decision = { reason, operatorId: operator.id, listener: logMonths(operator) };
    const declared = await earnings.voidMonth(within, which, decision);
    return declared && asDecided(declared);
  });
}

/** Operators may not decide about their own money. */
async function mustNotBeOwn(db: Kysely<Tables>, creatorId: string, { id }: Operator): Promise<void> {
  if (await isPaidToOperator(db, id, creatorId)) throw new Refusal('own_withdrawal', { what: 'month' });
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
