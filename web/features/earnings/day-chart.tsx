import { useText } from '#web/text.tsx';

interface Day {
  /** YYYY-MM-DD */
  day: string;
  shown: number;
  watched: number;
  counted: number;
}

const columns = ['shown', 'watched', 'counted'] as const;

const dateOf = (day: string) => new Date(`${day}T12:00:00Z`);

/** The days from the first to the last one, also those without views. */
function withoutGaps(days: readonly Day[]): Day[] {
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return [];
  const byDay = new Map(days.map((one) => [one.day, one]));
  const all: Day[] = [];
  for (let at = dateOf(first.day).getTime(); at <= dateOf(last.day).getTime(); at += 24 * 3_600_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    all.push(byDay.get(day) ?? { day, shown: 0, watched: 0, counted: 0 });
  }
  return all;
}

/** A reel's views by day, in two colours: shown and counted. Its table folds below. */
export function DayChart({ days: known }: { days: readonly Day[] }) {
  const text = useText();
  const days = withoutGaps(known);
  const most = Math.max(...days.map(({ shown }) => shown), 1);
  return (
    <section className="mt-8">
      <h2 className="text-xl">{text('reelEarnings.days')}</h2>
      <svg
        aria-hidden
        viewBox={`0 0 ${days.length * 10} 100`}
        preserveAspectRatio="none"
        className="mt-3 h-32 w-full rounded-md bg-sunken"
      >
        {days.map(({ day, shown, counted }, place) => {
          const [tall, low] = [(shown / most) * 100, (counted / most) * 100];
          return (
            <g key={day}>
              <rect x={place * 10 + 1} width="8" y={100 - tall} height={tall} fill="var(--bar)" />
              <rect x={place * 10 + 1} width="8" y={100 - low} height={low} fill="var(--accent)" />
            </g>
          );
        })}
      </svg>
      <div className="figures mt-1 flex justify-between text-sm text-soft">
        {[...new Set([days[0]?.day, days.at(-1)?.day])].map(
          (day) => day && <span key={day}>{text('reelEarnings.onDay', { day: dateOf(day) })}</span>,
        )}
      </div>
      <ul className="mt-2 flex gap-5 text-[0.9375rem]">
        {(['shown', 'counted'] as const).map((column) => (
          <li key={column} className="flex items-center gap-2">
            <span
              aria-hidden
              className="size-3 rounded-sm"
              style={{ background: column === 'shown' ? 'var(--bar)' : 'var(--accent)' }}
            />
            {text(`reelEarnings.${column}`)}
          </li>
        ))}
      </ul>
      <details className="mt-3">
        <summary className="min-h-11 cursor-pointer content-center font-semibold underline underline-offset-4">
          {text('reelEarnings.table')}
        </summary>
        <table className="figures w-full text-left text-[0.9375rem]">
          <thead>
            <tr>
              <th scope="col" className="py-1">
                {text('reelEarnings.day')}
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className="py-1 text-right">
                  {text(`reelEarnings.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {known.toReversed().map((one) => (
              <tr key={one.day} className="border-t border-line">
                <th scope="row" className="py-1 font-normal">
                  {text('reelEarnings.onDay', { day: dateOf(one.day) })}
                </th>
                {columns.map((column) => (
                  <td key={column} className="py-1 text-right">
                    {text('figure', { count: one[column] })}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
