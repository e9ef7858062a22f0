import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { csvOf } from '#contract/csv.ts';
import { type FigurePeriod, type FiguresOfTime, getFigures } from '#contract/figures.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { BarChart } from '#web/ui/bar-chart.tsx';
import { Button } from '#web/ui/button.tsx';
import { ListError } from '../lists/list-error.tsx';
import { bytesAsText } from './bytes-as-text.ts';
import { saveCsv } from './save-csv.ts';
import { useAddress } from './use-address.ts';

type Figure = Exclude<keyof FiguresOfTime, 'at'>;
type Text = ReturnType<typeof useText>;

const asCount = (count: number, text: Text) => text('console.number', { number: count });
const asMoney = (paise: number, text: Text) => text('money', { rupees: paise / 100 });

interface Chart {
  id: 'signUps' | 'uploads' | 'watching' | 'earned' | 'paid' | 'stored';
  figures: readonly [Figure, Figure?];
  format: (value: number, text: Text) => string;
  /** The number beside the title is the newest one, instead of the sum. */
  isLevel?: boolean;
}

const charts: readonly Chart[] = [
  { id: 'signUps', figures: ['signUps'], format: asCount },
  { id: 'uploads', figures: ['uploads'], format: asCount },
  { id: 'watching', figures: ['shown', 'watched'], format: asCount },
  { id: 'earned', figures: ['earnedPaise'], format: asMoney },
  { id: 'paid', figures: ['paidPaise'], format: asMoney },
  { id: 'stored', figures: ['storedBytes'], format: bytesAsText, isLevel: true },
];

const columns = [
  'at',
  'signUps',
  'uploads',
  'shown',
  'watched',
  'earnedPaise',
  'paidPaise',
  'storedBytes',
] as const satisfies (keyof FiguresOfTime)[];

/** What happened on the site in 30 days or 12 months. */
export function Figures() {
  const text = useText();
  const { valueIn, withChange } = useAddress();
  const period: FigurePeriod = valueIn('figures') === 'months' ? 'months' : 'days';
  const figures = useQuery({
    queryKey: ['console', 'figures', period],
    queryFn: ({ signal }) => call(getFigures, { query: { period } }, { signal }),
    staleTime: 0,
  });
  return (
    <section className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="text-2xl">{text('console.figures')}</h2>
        <nav aria-label={text('console.figures.period')} className="flex gap-1">
          {(['days', 'months'] as const).map((one) => (
            <Link
              key={one}
              to={withChange({ figures: one === 'months' ? one : undefined })}
              preventScrollReset
              aria-current={one === period ? 'page' : undefined}
              className="flex min-h-11 items-center rounded-control px-4 pt-0.5 font-semibold text-soft hover:bg-sunken aria-[current]:bg-sunken aria-[current]:text-text"
            >
              {text(`console.figures.${one}`)}
            </Link>
          ))}
        </nav>
      </div>
      {figures.isError && !figures.data ? (
        <ListError title={text('console.failed')} list={figures} />
      ) : figures.data ? (
        <Charts period={period} {...figures.data} />
      ) : (
        <p role="status">{text('list.loading')}</p>
      )}
    </section>
  );
}

interface ChartsProps {
  period: FigurePeriod;
  data: readonly FiguresOfTime[];
  countedAt: string | null;
}

function Charts({ period, data, countedAt }: ChartsProps) {
  const text = useText();
  const last = data.at(-1);
  if (!last || !countedAt) return <p className="text-soft">{text('console.figures.none')}</p>;
  const nameOf = (at: string) =>
    period === 'months'
      ? text('console.month', { month: new Date(`${at}-01`) })
      : text('date', { date: new Date(`${at}T12:00:00Z`) });
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {charts.map(({ id, figures, format, isLevel }) => {
          const known = figures.filter((figure) => figure !== undefined);
          const sum = data.reduce((total, one) => total + (one[known[0] as Figure] ?? 0), 0);
          const shown = isLevel ? last[figures[0]] : sum;
          const heads = known.map((figure) => text(`console.figure.${figure}`));
          return (
            <section key={id} className="min-w-0 rounded-panel border border-line bg-surface p-4">
              <h3 className="flex flex-wrap items-baseline justify-between gap-x-4">
                {text(`console.figures.${id}`)}{' '}
                <span className="figures text-lg">{shown === null ? '–' : format(shown, text)}</span>
              </h3>
              <BarChart
                bars={data.map((one) => ({
                  name: nameOf(one.at),
                  values: known.map((figure) => one[figure]),
                }))}
                columns={[text(`console.figures.at.${period}`), ...heads]}
                drawn={figures[1] ? [0, 1] : [0]}
                tableTitle={text('console.figures.table')}
                format={(value) => format(value, text)}
              />
            </section>
          );
        })}
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Button
          onClick={() =>
            saveCsv(
              `figures-${period}-${last.at}.csv`,
              csvOf([columns, ...data.map((one) => columns.map((column) => one[column]))]),
            )
          }
        >
          {text('console.figures.export')}
        </Button>
        <p className="text-[0.9375rem] text-soft">
          {text('console.figures.countedAt', { at: new Date(countedAt) })}
        </p>
      </div>
    </>
  );
}
