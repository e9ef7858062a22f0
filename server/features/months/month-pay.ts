import type { Kysely } from 'kysely';
import { type MonthCounts, paiseOf } from '#contract/rates.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { type AdjustmentRow, listAdjustments } from './adjustments.ts';
import { firstUncounted } from './closing.ts';
import { listMonths, type MonthRow } from './month-rows.ts';
import { type MonthViews, type Result, viewsAboveLimit, viewsOf } from './results.ts';
import { estimateResult } from './vouching.ts';

/** A creator's month: its counts, the part of them that pays, and their worth. */
export interface MonthPay {
  month: string;
  counts: MonthCounts;
  paid: MonthCounts;
  coins: number;
  paise: number;
  /** Its views and those that pay, with the views of works that were found to be its creator's own after it was closed. */
  withOwnWorks: MonthViews;
  waitingViews: number;
  /** Coins of earlier months that count in this one: of released views, and of works that were found to be its creator's own. */
  released: number;
  ofOwnWorks: number;
  /** Coins of voided views that are taken back in this month, and those left for later months. */
  takenBack: number;
  missing: number;
  /** Decisions about its views, or that count in it, in their order. */
  adjustments: readonly AdjustmentRow[];
  /** Whether it may be paid with a later month if it is too small to be paid alone. */
  mayBeCarried: boolean;
  /** Whether it is closed and counted; until then these numbers are an estimate. */
  isCounted: boolean;
  /** The established accounts that watched the creator. */
  accounts: number;
}

/** What months of one creator pay, in the given order. `adjustments`: those of the creator, if already loaded. */
export async function payOf(
  context: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
  months: readonly MonthRow[],
  adjustments?: readonly AdjustmentRow[],
): Promise<MonthPay[]> {
  const known = adjustments ?? (await listAdjustments(context.db, creatorId));
  const uncounted = await firstUncounted(context);
  // What is taken back depends on all earlier months.
  const isTakenBack = known.some(({ coins }) => coins < 0);
  const all = isTakenBack ? [...months, ...(await othersOf(context.db, creatorId, months))] : months;
  const earned = new Map<string, MonthPay>();
  for (const { month, counts, result } of all) {
    const isCounted = month < uncounted;
    const own = result ?? (await estimateResult(context, { creatorId, month, counts }));
    earned.set(month, adjusted({ month, isCounted }, own, known));
  }
  const left = isTakenBack ? withoutVoided([...earned.values()], known) : earned;
  return months.flatMap(({ month }) => {
    const pay = left.get(month);
    return pay ? [{ ...pay, mayBeCarried: pay.mayBeCarried || pay.released > pay.takenBack }] : [];
  });
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

/**
 * What a month pays: its result and the adjustments that count in it. Coins of voided views are not taken back here, since that depends on
 * other months (`withoutVoided`).
 */
export function adjusted(
  of: Pick<MonthPay, 'month' | 'isCounted'>,
  result: Result,
  known: readonly AdjustmentRow[],
): MonthPay {
  const { counts, paid, accounts, coins, mayBeCarried } = result;
  const about = known.filter(({ month }) => month === of.month);
  const counting = known.filter(({ counts_in }) => counts_in === of.month);
  const coinsOf = (kind: AdjustmentRow['kind']) =>
    counting.reduce((sum, row) => sum + (row.kind === kind ? row.coins : 0), 0);
  const [released, ofOwnWorks] = [coinsOf('released'), coinsOf('own')];
  const withOwnWorks = viewsOf(result, viewsOfOwnWorks(about));
  const isDecided = about.some(({ kind }) => kind === 'released' || kind === 'void_waiting');
  return {
    ...of,
    ...{ counts, paid, accounts, mayBeCarried, withOwnWorks, released, ofOwnWorks },
    ...ofCoins(coins + released + ofOwnWorks),
    waitingViews: isDecided ? 0 : viewsAboveLimit(withOwnWorks).views,
    adjustments: known.filter((row) => about.includes(row) || counting.includes(row)),
    takenBack: 0,
    missing: 0,
  };
}

const viewsOfOwnWorks = (about: readonly AdjustmentRow[]) =>
  about.reduce((sum, { kind, views }) => sum + (kind === 'own' ? views : 0), 0);

/**
 * The months without the coins of voided views: each gives up what it has, and the next one the rest. A void counts only in a month after
 * which none is paid yet, so that paid amounts never change.
 */
function withoutVoided(months: readonly MonthPay[], known: readonly AdjustmentRow[]): Map<string, MonthPay> {
  const left = new Map<string, MonthPay>();
  let before = 0;
  let missing = 0;
  for (const pay of months.toSorted((pay, other) => (pay.month < other.month ? -1 : 1))) {
    const due = known
      .filter(({ coins, counts_in: month }) => coins < 0 && month <= pay.month)
      .reduce((sum, { coins }) => sum - coins, 0);
    missing += due - before;
    before = due;
    const takenBack = Math.min(pay.coins, missing);
    missing -= takenBack;
    left.set(pay.month, { ...pay, ...ofCoins(pay.coins - takenBack), takenBack, missing });
  }
  return left;
}

const ofCoins = (coins: number) => ({ coins, paise: paiseOf(coins) });
