import { paiseOf, rates } from '#contract/earning-rules.ts';

/** A month, and the coins it is paid for. */
export interface PaidMonth {
  month: string;
  coins: number;
}

/**
 * What a month pays. A month that is too small to be paid alone is carried only if established accounts watched it: otherwise many small
 * accounts that only publish would reach a rupee.
 */
interface EarnedMonth extends PaidMonth {
  mayBeCarried: boolean;
}

/** The worth of these months together, rounded down to a paisa once. */
export const combinedPaise = (months: readonly PaidMonth[]): number =>
  paiseOf(months.reduce((sum, { coins }) => sum + coins, 0));

/** The months that are paid with this one, oldest first. `isTaken`: a month was requested, or is paid with another one. */
export function carriedInto(
  month: string,
  months: readonly EarnedMonth[],
  isTaken: (month: string) => boolean,
): PaidMonth[] {
  return months
    .filter((earned) => earned.month < month && !isTaken(earned.month) && earned.mayBeCarried)
    .filter((earned) => earned.coins > 0 && isTooLittle(earned))
    .map((earned) => ({ month: earned.month, coins: earned.coins }))
    .sort((paid, other) => (paid.month < other.month ? -1 : 1));
}

/** Whether a month alone is less than the smallest withdrawal. */
export function isTooLittle({ coins }: Pick<PaidMonth, 'coins'>): boolean {
  return paiseOf(coins) < rates.minimumWithdrawalPaise;
}

export interface Payable {
  coins: number;
  carried: PaidMonth[];
  /** Includes the carried months. */
  paise: number;
  /** Whether the amount can be requested once the month is over. */
  isEnough: boolean;
}

/** What a request for a month is worth. A month without coins of its own carries nothing. */
export function payableOf(
  month: string,
  months: readonly EarnedMonth[],
  isTaken: (month: string) => boolean,
): Payable {
  const coins = months.find((earned) => earned.month === month)?.coins ?? 0;
  const carried = coins > 0 ? carriedInto(month, months, isTaken) : [];
  const paise = combinedPaise([...carried, { month, coins }]);
  return { coins, carried, paise, isEnough: paise >= rates.minimumWithdrawalPaise };
}

/** The sum that can be requested of these months: newest first, because a month carries all small ones before it. */
export function availableOf(months: readonly EarnedMonth[], isTaken: (month: string) => boolean): number {
  const taken = new Set(months.map(({ month }) => month).filter(isTaken));
  let sum = 0;
  for (const { month } of months.toSorted((earned, other) => (earned.month < other.month ? 1 : -1))) {
    const payable = payableOf(month, months, (earlier) => taken.has(earlier));
    if (taken.has(month) || !payable.isEnough) continue;
    sum += payable.paise;
    for (const paid of [{ month }, ...payable.carried]) taken.add(paid.month);
  }
  return sum;
}
