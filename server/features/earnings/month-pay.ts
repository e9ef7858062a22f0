import type { Kysely } from 'kysely';
import { coinsOf, type MonthCounts, paidOf, paiseOf, rates } from '#contract/rates.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { countsFormerCopies } from '../views/views.ts';
import { isTooLittle } from './carry.ts';
import { listMonths, type MonthRow } from './earnings.queries.ts';
import { type Decided, listDecided, type VoidRow } from './releases.queries.ts';
import { hasEstablishedViewer, type PayingCounts, payingCountsOf } from './vouching.ts';

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
  /** Whether the month was viewed; checked only for a month that is too small to be paid alone. */
  isSeen: boolean;
}

/** What months of one creator pay, in the given order. `decided`: the decisions of operators, if already loaded. */
export async function payOf(
  context: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
  months: readonly MonthRow[],
  decided?: Decided,
): Promise<MonthPay[]> {
  const known = decided ?? (await listDecided(context.db, creatorId));
  // What is taken back depends on all earlier months.
  const isTakenBack = known.voids.some(({ coins }) => coins > 0);
  const all = isTakenBack ? [...months, ...(await othersOf(context.db, creatorId, months))] : months;
  const earned = new Map<string, MonthPay>();
  for (const { month, ...counts } of all) {
    const paying = await payingCountsOf(context, { creatorId, month, counts });
    earned.set(month, withDecided(worthOf(month, counts, paying), known));
  }
  const left = isTakenBack ? withoutVoided([...earned.values()], known.voids) : earned;
  const pays: MonthPay[] = [];
  for (const { month } of months) {
    const pay = left.get(month);
    if (!pay) continue;
    pays.push({ ...pay, isSeen: await isSeenIn(context, creatorId, pay) });
  }
  return pays;
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

async function isSeenIn(
  context: Context<'db' | 'config'>,
  creatorId: string,
  pay: MonthPay,
): Promise<boolean> {
  if (pay.coins === 0 || !isTooLittle(pay)) return false;
  const which = { creatorId, month: pay.month };
  if (pay.released > pay.takenBack || (await hasEstablishedViewer(context, which))) return true;
  // These views vouch for nothing, but a person has decided that they count (docs/decisions/0075-views-of-copies.md).
  const isVoid = pay.decided.voids.some(
    (one) => one.what === 'paid' && one.month === pay.month && one.counts_in === pay.month,
  );
  return !isVoid && (await countsFormerCopies(context.db, { ...which, timeZone: context.config.timeZone }));
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
export function viewsAboveLimit({ counts, paid }: MonthPay): { views: number; coins: number } {
  const coins = Math.floor(counts.views / rates.viewsPerCoin) - Math.floor(paid.views / rates.viewsPerCoin);
  return { views: counts.views - paid.views, coins };
}

/** The worth of a month if this many of its views and likes pay. */
export function worthOf(month: string, counts: MonthCounts, paying: PayingCounts): MonthPay {
  const paid = { ...paidOf(counts), ...paying };
  const coins = coinsOf(paid);
  const waitingViews = counts.views - paid.views;
  return {
    month,
    counts,
    paid,
    coins,
    paise: paiseOf(coins),
    waitingViews,
    released: 0,
    decided: { releases: [], voids: [] },
    takenBack: 0,
    missing: 0,
    isSeen: false,
  };
}
