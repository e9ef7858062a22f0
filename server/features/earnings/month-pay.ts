import {
  coinsOf,
  type MonthCounts,
  type PaidPublications,
  paidOf,
  paiseOf,
  type Rates,
  ratesOf,
} from '#contract/rates.ts';
import type { Context } from '#server/platform/context.ts';
import { isTooLittle } from './carry.ts';
import { findMonthRules, type MonthRules } from './month-rules.ts';
import { listReleases, type ReleaseRow } from './releases.queries.ts';
import { isVouched, type Vouched, vouchedOf } from './vouching.ts';

/** A creator's month: what happened, what of it pays, and what that is worth by the rates of the month. */
export interface MonthPay {
  month: string;
  counts: MonthCounts;
  paid: MonthCounts;
  /** Undefined in months without limits. */
  limits: PaidPublications | undefined;
  coins: number;
  paise: number;
  rates: Rates;
  /** Views of this month that wait, and coins of earlier months that were released in this one. */
  waitingViews: number;
  released: number;
  /** Whether somebody saw a month that is too small to be paid alone. Of larger months nobody asks. */
  isSeen: boolean;
}

/** What months of one creator pay, in their order. */
export async function payOf(
  context: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
  months: readonly ({ month: string } & MonthCounts)[],
): Promise<MonthPay[]> {
  const rules = await findMonthRules(context.db);
  const releases = months.some(({ month }) => rules.vouches(month))
    ? await listReleases(context.db, creatorId)
    : [];
  const pays: MonthPay[] = [];
  for (const { month, ...counts } of months)
    pays.push(await payBy(context, rules, { creatorId, month, counts, releases }));
  return pays;
}

/** The same for one month, by rules that are known, and releases of the creator if they are known. */
export async function payBy(
  context: Context<'db' | 'clock' | 'config'>,
  rules: MonthRules,
  {
    creatorId,
    month,
    counts,
    releases,
  }: { creatorId: string; month: string; counts: MonthCounts; releases?: readonly ReleaseRow[] },
): Promise<MonthPay> {
  if (!rules.vouches(month)) return worthOf(rules, month, counts, counts);
  const vouched = await vouchedOf(context, rules, { creatorId, month, counts });
  const known = releases ?? (await listReleases(context.db, creatorId));
  const pay = withReleases(worthOf(rules, month, counts, vouched), known);
  const isSeen =
    isTooLittle(pay) &&
    pay.coins > 0 &&
    (pay.released > 0 || (await isVouched(context, { creatorId, month })));
  return { ...pay, isSeen };
}

/** The month with what was released in it, and without what of it was released. */
function withReleases(pay: MonthPay, releases: readonly ReleaseRow[]): MonthPay {
  const released = releases
    .filter(({ counts_in }) => counts_in === pay.month)
    .reduce((sum, { coins }) => sum + coins, 0);
  const gone = releases.find(({ month }) => month === pay.month)?.views ?? 0;
  const coins = pay.coins + released;
  return {
    ...pay,
    coins,
    paise: paiseOf(coins, pay.rates),
    released,
    waitingViews: pay.waitingViews - gone,
  };
}

/** The month as if nothing of it had been released. */
export function withoutReleases(pay: MonthPay): MonthPay {
  return { ...pay, waitingViews: pay.counts.views - pay.paid.views };
}

/** The views of a month that wait, and the coins that they are worth beside those that pay. */
export function waitingIn({ counts, paid, rates, waitingViews }: MonthPay): { views: number; coins: number } {
  const coins = Math.floor(counts.views / rates.viewsPerCoin) - Math.floor(paid.views / rates.viewsPerCoin);
  return { views: waitingViews, coins: waitingViews > 0 ? coins : 0 };
}

/** What a month is worth if so many of its views and likes pay. */
export function worthOf(rules: MonthRules, month: string, counts: MonthCounts, vouched: Vouched): MonthPay {
  const rates = ratesOf(month);
  const limits = rules.paidPublications(month);
  const paid = { ...paidOf(counts, limits), views: vouched.views, likes: vouched.likes };
  const coins = coinsOf(paid, rates);
  const waitingViews = counts.views - paid.views;
  return {
    month,
    counts,
    paid,
    limits,
    coins,
    paise: paiseOf(coins, rates),
    rates,
    waitingViews,
    released: 0,
    isSeen: counts.views > 0,
  };
}
