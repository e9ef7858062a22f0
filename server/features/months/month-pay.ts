import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { listAdjustments } from './adjustments.ts';
import { firstUncounted } from './closing.ts';
import { type AdjustmentRow, isTakenBack, type MonthPay, moneyOf } from './money.ts';
import { listMonths, type MonthRow } from './month-rows.ts';
import { estimateResult } from './vouching.ts';

/** What months of one creator pay, in the given order. `adjustments`: those of the creator, if already loaded. */
export async function payOf(
  context: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
  months: readonly MonthRow[],
  adjustments?: readonly AdjustmentRow[],
): Promise<MonthPay[]> {
  const known = adjustments ?? (await listAdjustments(context.db, creatorId));
  const uncounted = await firstUncounted(context);
  const others = isTakenBack(known) ? await othersOf(context.db, creatorId, months) : [];
  const results = [];
  for (const { month, counts, result } of [...months, ...others])
    results.push({
      month,
      isCounted: month < uncounted,
      result: result ?? (await estimateResult(context, { creatorId, month, counts })),
    });
  const money = moneyOf(results, known);
  return months.flatMap(({ month }) => money.get(month) ?? []);
}

/** The other months of a creator. */
async function othersOf(
  db: Kysely<Tables>,
  creatorId: string,
  months: readonly MonthRow[],
): Promise<MonthRow[]> {
  const among = new Set(months.map(({ month }) => month));
  return (await listMonths(db, creatorId)).filter(({ month }) => !among.has(month));
}
