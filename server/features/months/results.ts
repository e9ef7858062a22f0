import { coinsOf, type MonthCounts, paidOf, paiseOf, rates, rules } from '#contract/rates.ts';

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

export const coinsOfViews = (views: number): number => Math.floor(views / rates.viewsPerCoin);

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
