import { useText } from '#web/text.tsx';
import { BarChart } from '#web/ui/bar-chart.tsx';

interface Day {
  /** YYYY-MM-DD */
  day: string;
  shown: number;
  watched: number;
  counted: number;
}

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

/** A reel's views by day, in two colours: shown and counted. */
export function DayChart({ days }: { days: readonly Day[] }) {
  const text = useText();
  const columns = ['day', 'shown', 'watched', 'counted'] as const;
  const [day, ...values] = columns.map((column) => text(`reelEarnings.${column}`));
  return (
    <section className="mt-8">
      <h2 className="text-xl">{text('reelEarnings.days')}</h2>
      <BarChart
        bars={withoutGaps(days).map((one) => ({
          name: text('reelEarnings.onDay', { day: dateOf(one.day) }),
          values: [one.shown, one.watched, one.counted],
        }))}
        columns={[day ?? '', ...values]}
        drawn={[0, 2]}
        tableTitle={text('reelEarnings.table')}
        format={(count) => text('figure', { count })}
      />
    </section>
  );
}
