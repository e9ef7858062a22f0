import type { Kysely } from 'kysely';
import { type MonthCounts, paiseOf, rates } from '#contract/rates.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { firstUncounted } from './closing.ts';
import { listMonths, type MonthRow } from './earnings.queries.ts';
import { type Decided, listDecided, type VoidRow } from './releases.queries.ts';
import type { Result } from './results.ts';
import { estimateResult } from './vouching.ts';

/** A creator's month: its counts, the part of them that pays, and their worth. */
export interface MonthPay {
  month: string;
  counts: MonthCounts;
  paid: MonthCounts;
  coins: number;
  paise: number;
  /** Waiting views of this month, and coins of earlier months that were released in this one. */
  waitingViews: number;
  released: number;
  /** Coins of voided views that are taken back in this month, and those left for later months. */
  takenBack: number;
  missing: number;
  /** Decisions about its views, or that count in it. */
  decided: Decided;
  /** Whether it may be paid with a later month if it is too small to be paid alone. */
  mayBeCarried: boolean;
  /** Whether it is closed and counted; until then these numbers are an estimate. */
  isCounted: boolean;
  /** The established accounts that watched the creator. */
  accounts: number;
}

/** What months of one creator pay, in the given order. `decided`: the decisions of operators, if already loaded. */
export async function payOf(
  context: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
  months: readonly MonthRow[],
  decided?: Decided,
): Promise<MonthPay[]> {
  const known = decided ?? (await listDecided(context.db, creatorId));
  const uncounted = await firstUncounted(context);
  // What is taken back depends on all earlier months.
  const isTakenBack = known.voids.some(({ coins }) => coins > 0);
  const all = isTakenBack ? [...months, ...(await othersOf(context.db, creatorId, months))] : months;
  const earned = new Map<string, MonthPay>();
  for (const { month, counts, result } of all) {
    const isCounted = month < uncounted;
    const own = result ?? (await estimateResult(context, { creatorId, month, counts }));
    earned.set(month, withDecided(ofResult({ month, isCounted }, own), known));
  }
  const left = isTakenBack ? withoutVoided([...earned.values()], known.voids) : earned;
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

/** The month with the coins released in it, and without its views that were decided. */
function withDecided(pay: MonthPay, { releases, voids }: Decided): MonthPay {
  const released = releases
    .filter(({ counts_in }) => counts_in === pay.month)
    .reduce((sum, { coins }) => sum + coins, 0);
  const isOfIt = ({ month }: { month: string }) => month === pay.month;
  const gone = releases.find(isOfIt) ?? voids.find((one) => isOfIt(one) && one.what === 'waiting');
  const concerns = (one: { month: string; counts_in: string }) => isOfIt(one) || one.counts_in === pay.month;
  return {
    ...ofCoins(pay, pay.coins + released),
    released,
    waitingViews: pay.waitingViews - (gone?.views ?? 0),
    decided: { releases: releases.filter(concerns), voids: voids.filter(concerns) },
  };
}

/**
 * The months without the coins of voided views: each gives up what it has, and the next one the rest. A void counts only in a month after
 * which none is paid yet, so that paid amounts never change.
 */
function withoutVoided(months: readonly MonthPay[], voids: readonly VoidRow[]): Map<string, MonthPay> {
  const left = new Map<string, MonthPay>();
  let before = 0;
  let missing = 0;
  for (const pay of months.toSorted((one, other) => (one.month < other.month ? -1 : 1))) {
    const due = voids
      .filter(({ counts_in: month }) => month <= pay.month)
      .reduce((sum, { coins }) => sum + coins, 0);
    missing += due - before;
    before = due;
    const takenBack = Math.min(pay.coins, missing);
    missing -= takenBack;
    left.set(pay.month, { ...ofCoins(pay, pay.coins - takenBack), takenBack, missing });
  }
  return left;
}

const ofCoins = (pay: MonthPay, coins: number) => ({ ...pay, coins, paise: paiseOf(coins) });

/** The views of a month above its limit, and the additional coins that they would be worth. */
export function viewsAboveLimit({ counts, paid }: Pick<MonthPay, 'counts' | 'paid'>): {
  views: number;
  coins: number;
} {
  const coins = Math.floor(counts.views / rates.viewsPerCoin) - Math.floor(paid.views / rates.viewsPerCoin);
  return { views: counts.views - paid.views, coins };
}

/** A month without the decisions about it. */
function ofResult(
  of: Pick<MonthPay, 'month' | 'isCounted'>,
  { counts, paid, accounts, coins, paise, mayBeCarried }: Result,
): MonthPay {
  return {
    ...of,
    ...{ counts, paid, accounts, coins, paise, mayBeCarried },
    waitingViews: counts.views - paid.views,
    released: 0,
    decided: { releases: [], voids: [] },
    takenBack: 0,
    missing: 0,
  };
}
