import {
  coinsOf,
  type MonthCounts,
  type PaidPublications,
  paidOf,
  paiseOf,
  type Rates,
  ratesOf,
} from '#contract/rates.ts';
import type { MonthRules } from './month-rules.ts';

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
}

export function payBy(rules: MonthRules, month: string, counts: MonthCounts): MonthPay {
  const rates = ratesOf(month);
  const limits = rules.paidPublications(month);
  const paid = paidOf(counts, limits);
  const coins = coinsOf(paid, rates);
  return { month, counts, paid, limits, coins, paise: paiseOf(coins, rates), rates };
}
