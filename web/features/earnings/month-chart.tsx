import { ChevronDown } from 'lucide-react';
import type { HistoryRecord } from '#contract/earnings.ts';
import { useText } from '#web/text.tsx';
import { asDate } from './earnings.ts';
import { barsOf } from './month-bars.ts';

/** Coins by month for up to a year, as a chart and as a table, folded. */
export function MonthChart({ months }: { months: HistoryRecord[] }) {
  const text = useText();
  const bars = barsOf(months);
  const maximum = Math.max(...bars.map(({ coins }) => coins), 1);
  return (
    <details className="group mt-6 rounded-panel border border-line bg-surface">
      <summary className="flex min-h-12 items-center gap-1 px-4 pt-0.5 font-semibold">
        <ChevronDown aria-hidden className="size-5 shrink-0 transition-transform group-open:rotate-180" />
        {text('history.chart')}
      </summary>
      <div className="px-4 pb-4">
        <div aria-hidden className="flex items-end gap-1.5 sm:gap-2">
          {bars.map(({ month, coins, current }, place) => (
            <div
              key={month}
              // A phone shows half a year.
              className={`min-w-0 max-w-20 flex-1 ${place < bars.length - 6 ? 'max-sm:hidden' : ''}`}
            >
              <p className="figures mb-1 text-center text-xs font-semibold text-soft">
                {text('count', { count: coins })}
              </p>
              <svg viewBox="0 0 10 100" preserveAspectRatio="none" className="h-32 w-full rounded-md">
                <title>{text('month', { month: asDate(month) })}</title>
                <rect width="10" height="100" fill="var(--sunken)" />
                <rect
                  width="10"
                  y={100 - (coins / maximum) * 100}
                  height={(coins / maximum) * 100}
                  fill={current ? 'var(--accent)' : 'var(--bar)'}
                />
              </svg>
              <p className="mt-1.5 truncate text-center text-sm text-soft">
                {text('history.chartShort', { month: asDate(month) })}
              </p>
            </div>
          ))}
        </div>
        <table className="figures mt-4 w-full text-left text-[0.9375rem]">
          <caption className="sr-only">{text('history.chart')}</caption>
          <thead className="text-soft">
            <tr>
              <th scope="col" className="py-1 font-semibold">
                {text('history.chartMonth')}
              </th>
              <th scope="col" className="py-1 text-right font-semibold">
                {text('lines.coins')}
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ month, coins, current }) => (
              <tr key={month} className="border-t border-line">
                <th scope="row" className="py-1 font-normal">
                  {text('month', { month: asDate(month) })}
                </th>
                <td className="py-1 text-right">
                  {text('figure', { count: coins })}
                  {current && <span className="text-soft"> ({text('history.chartNow')})</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
