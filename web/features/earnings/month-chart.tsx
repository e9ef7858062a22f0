import type { HistoryRecord } from '#contract/earnings.ts';
import { useText } from '#web/text.tsx';
import { asDate } from './earnings.ts';
import { barsOf } from './month-bars.ts';

/** Coins by month for up to a year, with a table for screen readers. */
export function MonthChart({ months }: { months: HistoryRecord[] }) {
  const text = useText();
  const bars = barsOf(months);
  const maximum = Math.max(...bars.map(({ coins }) => coins), 1);
  return (
    <figure className="mt-6 rounded-panel border border-line bg-surface px-5 pb-4 pt-5">
      <figcaption className="text-lg font-semibold">{text('history.chart')}</figcaption>
      <div aria-hidden className="mt-4 flex items-end gap-1.5 sm:gap-2">
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
      <table className="sr-only">
        <caption>{text('history.chart')}</caption>
        <thead>
          <tr>
            <th scope="col">{text('history.chartMonth')}</th>
            <th scope="col">{text('lines.coins')}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ month, coins, current }) => (
            <tr key={month}>
              <th scope="row">{text('month', { month: asDate(month) })}</th>
              <td>
                {text('figure', { count: coins })}
                {current && <span> ({text('history.chartNow')})</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
