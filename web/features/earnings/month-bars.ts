import type { HistoryRecord } from '#contract/earnings.ts';

interface Bar {
  month: string;
  coins: number;
  /** Whether it is the current month. */
  current: boolean;
}

/** The last `atMost` calendar months up to the newest with coins, oldest first, including months without coins. */
export function barsOf(
  months: readonly Pick<HistoryRecord, 'monthKey' | 'totalCoins' | 'state'>[],
  atMost = 12,
): Bar[] {
  const known = new Map(months.map((record) => [record.monthKey, record]));
  const keys = [...known.keys()].sort();
  const [oldest, newest] = [keys[0], keys.at(-1)];
  const bars: Bar[] = [];
  for (
    let month = newest;
    oldest && month && month >= oldest && bars.length < atMost;
    month = before(month)
  ) {
    const record = known.get(month);
    bars.unshift({ month, coins: record?.totalCoins ?? 0, current: record?.state === 'current' });
  }
  return bars;
}

function before(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number > 1
    ? `${month.slice(0, 4)}-${String(number - 1).padStart(2, '0')}`
    : `${String(year - 1).padStart(4, '0')}-12`;
}
