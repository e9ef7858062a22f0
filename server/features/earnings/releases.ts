import type { Transaction } from 'kysely';
import { vouchingRules } from '#contract/rates.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { findMonth } from './earnings.queries.ts';
import { payBy, waitingIn } from './month-pay.ts';
import { findMonthRules } from './month-rules.ts';
import { addToMonths } from './months.ts';
import * as queries from './releases.queries.ts';
import { isWritten } from './vouching.ts';

/** Runs in the transaction of a release. */
type Done = (trx: Transaction<Tables>, release: queries.ReleaseRow) => Promise<void>;

interface Decision {
  reason: string;
  operatorId: string | null;
}

/**
 * Releases the views of a creator's finished month that wait. Their coins are a line of the month that is running, so that
 * the past month does not change. Undefined where nothing waits.
 */
export async function releaseMonth(
  context: Context<'db' | 'clock' | 'config'>,
  { creatorId, month }: { creatorId: string; month: string },
  { reason, operatorId }: Decision,
  done: Done = async () => undefined,
): Promise<queries.ReleaseRow | undefined> {
  const now = context.clock();
  const current = monthOf(now, context.config.timeZone);
  // Nobody decides about their own money.
  if (!isWritten(context, month) || creatorId === operatorId) return undefined;
  return await inTransaction(context.db, async (trx) => {
    const inside = { ...context, db: trx };
    const found = await findMonth(trx, creatorId, month);
    if (!found) return undefined;
    const { month: _, ...counts } = found;
    const rules = await findMonthRules(trx);
    const waiting = waitingIn(await payBy(inside, rules, { creatorId, month, counts }));
    if (waiting.views === 0) return undefined;
    const release = {
      creator_id: creatorId,
      month,
      counts_in: current,
      ...waiting,
      reason,
      released_at: now,
      released_by: operatorId,
    };
    if (!(await queries.insertRelease(trx, release))) return undefined;
    // The row of the running month is locked, so that its withdrawal is computed before or after.
    await addToMonths(trx, [{ creatorId, month: current }]);
    await done(trx, release);
    return release;
  });
}

/** Releases what waits of a month of all creators, each in a transaction of its own. */
export async function releaseMonthOfAll(
  context: Context<'db' | 'clock' | 'config'>,
  month: string,
  decision: Decision,
  done?: Done,
): Promise<queries.ReleaseRow[]> {
  const released: queries.ReleaseRow[] = [];
  for (const creatorId of await queries.listCreatorsOver(context.db, month, vouchingRules.views)) {
    const release = await releaseMonth(context, { creatorId, month }, decision, done);
    if (release) released.push(release);
  }
  return released;
}
