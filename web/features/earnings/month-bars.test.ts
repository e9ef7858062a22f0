import { describe, expect, it } from 'vitest';
import { barsOf } from './month-bars.ts';

const month = (monthKey: string, totalCoins: number) => ({
  monthKey,
  totalCoins,
  state: 'withdrawable' as const,
});

describe('the bars of the chart by month', () => {
  it('are in chronological order across years, with empty bars for months without coins', () => {
    expect(barsOf([month('2026-02', 7), month('2025-11', 3)])).toEqual([
      { month: '2025-11', coins: 3, current: false },
      { month: '2025-12', coins: 0, current: false },
      { month: '2026-01', coins: 0, current: false },
      { month: '2026-02', coins: 7, current: false },
    ]);
  });

  it('are the newest ones if there are too many, and mark the current month', () => {
    const bars = barsOf([{ ...month('2026-03', 1), state: 'current' }, month('2020-01', 9)], 2);
    expect(bars).toEqual([
      { month: '2026-02', coins: 0, current: false },
      { month: '2026-03', coins: 1, current: true },
    ]);
  });

  it('are none if nothing was earned', () => {
    expect(barsOf([])).toEqual([]);
  });
});
