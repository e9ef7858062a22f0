import type { Selectable } from 'kysely';
import { coinsOf, type MonthCounts, paidOf, paiseOf, rates, rules } from '#contract/earning-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/*
 * The money of a creator's months: from the counts to the result (`resultOf`), from the result and the adjustments to what is paid (`moneyOf`),
 * and what of it can be void (`voidable`). Nothing here reads or writes: the history, the statement, a withdrawal and the audit compute by it.
 */

/** What established accounts let pay of a creator's month. */
export interface Shares {
  /** Those that watched the creator, and the views that they let pay together. */
  accounts: number;
  accountViews: number;
}

/** Likes of a creator's month by established accounts: all of them, and at most thirty of each account. */
export interface EstablishedLikes {
  likes: number;
  capped: number;
}

/** A creator's month: its counts, and how much of them pays. */
export interface Result extends Shares {
  counts: MonthCounts;
  paid: MonthCounts;
  coins: number;
  paise: number;
  /** Whether it may be paid with a later month if it is too small to be paid alone. */
  mayBeCarried: boolean;
}

/** A month in which nothing was counted. */
export const nothing: MonthCounts = { reels: 0, posts: 0, stories: 0, views: 0, likes: 0 };

/** Views of a month, and how many of them it pays by its own bound. */
export interface MonthViews {
  views: number;
  paid: number;
}

/** The views of a month with these of works that were found to be its creator's own after it was closed. */
export function viewsOf({ counts, paid, accountViews }: Result, ofOwnWorks: number): MonthViews {
  if (ofOwnWorks === 0) return { views: counts.views, paid: paid.views };
  const views = counts.views + ofOwnWorks;
  return { views, paid: Math.min(views, rules.vouching.views + accountViews) };
}

/** The views above the limit, and the coins that they would be worth. */
export const viewsAboveLimit = ({ views, paid }: MonthViews): { views: number; coins: number } => ({
  views: views - paid,
  coins: coinsOfViews(views) - coinsOfViews(paid),
});

const coinsOfViews = (views: number): number => Math.floor(views / rates.viewsPerCoin);

/** What a month pays by its own bound (decisions §4, docs/decisions/0057-established-accounts.md). */
export function resultOf<Row extends MonthCounts & Shares>(
  row: Row,
  byEstablished: EstablishedLikes = { likes: 0, capped: 0 },
): Row & Result {
  const { reels, posts, stories, views, likes, accountViews } = row;
  const counts = { reels, posts, stories, views, likes };
  const { vouching } = rules;
  const paid = {
    ...paidOf(counts),
    views: Math.min(views, vouching.views + accountViews),
    likes: Math.min(
      likes,
      byEstablished.capped + Math.min(Math.max(0, likes - byEstablished.likes), vouching.likes),
    ),
  };
  const coins = coinsOf(paid);
  const mayBeCarried = accountViews >= vouching.sharesToCarry;
  return { ...row, counts, paid, coins, paise: paiseOf(coins), mayBeCarried };
}

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

/** What an operator decided about a closed month, and the coins of it that count in an open one. */
export type AdjustmentRow = Selectable<Tables['adjustments']>;

/** A month with its result, or an estimate of it. */
type MonthResult = Pick<MonthPay, 'month' | 'isCounted'> & { result: Result };

/** What a month pays by its result and by the adjustments that count in it, before coins of voided views are taken back (`moneyOf`). */
export function earnedIn(
  { month, isCounted, result }: MonthResult,
  adjustments: readonly AdjustmentRow[],
): MonthPay {
  const { counts, paid, accounts, coins, mayBeCarried } = result;
  const about = adjustments.filter((row) => row.month === month);
  const counting = adjustments.filter(({ counts_in }) => counts_in === month);
  const coinsBy = (kind: AdjustmentRow['kind']) =>
    counting.reduce((sum, row) => sum + (row.kind === kind ? row.coins : 0), 0);
  const [released, ofOwnWorks] = [coinsBy('released'), coinsBy('own')];
  const withOwnWorks = viewsOf(result, viewsOfOwnWorks(about));
  const isDecided = about.some(({ kind }) => kind === 'released' || kind === 'void_waiting');
  return {
    ...{ month, isCounted, counts, paid, accounts, mayBeCarried, withOwnWorks, released, ofOwnWorks },
    ...ofCoins(coins + released + ofOwnWorks),
    waitingViews: isDecided ? 0 : viewsAboveLimit(withOwnWorks).views,
    adjustments: adjustments.filter((row) => about.includes(row) || counting.includes(row)),
    takenBack: 0,
    missing: 0,
  };
}

const viewsOfOwnWorks = (about: readonly AdjustmentRow[]) =>
  about.reduce((sum, { kind, views }) => sum + (kind === 'own' ? views : 0), 0);

const ofCoins = (coins: number) => ({ coins, paise: paiseOf(coins) });

/** Whether coins of voided views are taken back: then what a month pays depends on all earlier ones. */
export const isTakenBack = (adjustments: readonly AdjustmentRow[]): boolean =>
  adjustments.some(({ coins }) => coins < 0);

/**
 * What each of these months of one creator pays. Coins of voided views are taken back from the month in which they count, and what it does not
 * have from the next ones. A void counts only in a month after which none is paid yet, so that paid amounts never change.
 */
export function moneyOf(
  months: readonly MonthResult[],
  adjustments: readonly AdjustmentRow[],
): Map<string, MonthPay> {
  const money = new Map<string, MonthPay>();
  let before = '';
  let missing = 0;
  for (const month of months.toSorted((earlier, later) => (earlier.month < later.month ? -1 : 1))) {
    const earned = earnedIn(month, adjustments);
    for (const { coins, counts_in: countsIn } of adjustments)
      if (coins < 0 && countsIn > before && countsIn <= earned.month) missing -= coins;
    before = earned.month;
    const takenBack = Math.min(earned.coins, missing);
    missing -= takenBack;
    money.set(earned.month, {
      ...earned,
      ...ofCoins(earned.coins - takenBack),
      takenBack,
      missing,
      mayBeCarried: earned.mayBeCarried || earned.released > takenBack,
    });
  }
  return money;
}

/** Views above the limit of a month, which wait or were released, or those that pay. */
export type VoidedViews = 'waiting' | 'paid';

/** The views that would be void, their coins, below zero, and the month in which these count. */
export function voidable(
  { month, withOwnWorks, adjustments }: Pick<MonthPay, 'month' | 'withOwnWorks' | 'adjustments'>,
  what: VoidedViews,
): { views: number; coins: number; countsIn: string } {
  if (what === 'paid') {
    const { paid: views } = withOwnWorks;
    return { views, coins: 0 - coinsOfViews(views), countsIn: month };
  }
  const above = viewsAboveLimit(withOwnWorks);
  const about = adjustments.filter((row) => row.month === month);
  // What was found to be its creator's own after a release pays in full, in the month in which that was found.
  const paid = about.filter(({ kind }) => kind === 'released' || kind === 'own');
  if (!about.some(({ kind }) => kind === 'released'))
    return { views: above.views, coins: 0, countsIn: month };
  const countsIn = paid.map((row) => row.counts_in).reduce((one, other) => (one > other ? one : other));
  return { views: above.views, coins: 0 - above.coins, countsIn };
}
