import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import { rates, rules } from '#contract/earning-rules.ts';
import { getReelEarnings } from '#contract/earnings.ts';
import { getReel } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { LinesSkeleton } from '#web/ui/panel-skeleton.tsx';
import { EmptyState } from '#web/ui/quiet-state.tsx';
import { ListError } from '../lists/list-error.tsx';
import { DayChart } from './day-chart.tsx';

const optionsOf = (id: string) => ({
  queryKey: ['reel-earnings', id],
  // Reloaded at every visit; what was loaded before is shown meanwhile.
  staleTime: 0,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const input = { params: { id } };
    const [{ data }, { data: reel }] = await Promise.all([
      call(getReelEarnings, input, { signal }),
      call(getReel, input, { signal }),
    ]);
    return { ...data, reel };
  },
});

/** A reel's views from its showings to its coins, the reasons why others did not count, and its days. */
export function ReelEarnings({ id }: { id: string }) {
  const text = useText();
  const { data, error, refetch, isFetching } = useQuery(optionsOf(id));
  if (!data && isApiError(error) && [400, 404].includes(error.status)) return <NoReel />;
  if (!data && error)
    return <ListError title={text('reelEarnings.failed')} list={{ error, refetch, isFetching }} />;
  if (!data)
    return (
      <div role="status" aria-label={text('list.loading')} className="mt-6 grid gap-7">
        <LinesSkeleton lines={6} />
      </div>
    );
  const { reel, shown, watched, counted, viewCoins, uncounted, days } = data;
  const steps = [
    ['shown', shown],
    ['watched', watched],
    ['counted', counted],
  ] as const;
  const earned =
    viewCoins > 0
      ? text('reelEarnings.coins', { coins: viewCoins })
      : text(shown > 0 ? 'reelEarnings.noCoins' : 'reelEarnings.notSeen');
  const { seconds, share } = rules.watch;
  return (
    <>
      <div className="mt-6 grid grid-cols-[6.5rem_minmax(0,1fr)] gap-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
        <Link to={`/videoplayer?reel=${id}`} className="block self-start overflow-hidden rounded-panel">
          <img
            src={reel.tileurl || reel.thumbnillurl || reel.placeholder}
            alt={text('reelEarnings.watch')}
            className="aspect-9/16 w-full bg-night object-cover"
          />
        </Link>
        <div className="grid content-center gap-3">
          <p dir="auto" className="line-clamp-3 text-lg font-semibold leading-snug">
            {reel.caption || text('reel.untitled')}
          </p>
          <p className="figures text-2xl font-bold">{earned}</p>
          <p className="text-[0.9375rem] leading-snug text-soft">
            {text('reelEarnings.coinsHow', { views: rates.viewsPerCoin })}
          </p>
        </div>
      </div>
      <ol className="mt-6 grid gap-3" aria-label={text('reelEarnings.funnel')}>
        {steps.map(([step, count]) => (
          <Bar key={step} words={text(`reelEarnings.${step}`)} count={count} all={shown} strong />
        ))}
      </ol>
      <p className="mt-3 text-[0.9375rem] leading-snug text-soft">
        {text('reelEarnings.watchedHow', { seconds, share })}
      </p>
      {uncounted.length > 0 && (
        <section className="mt-8">
          <h2 className="text-xl">{text('items.uncounted')}</h2>
          <ul className="mt-3 grid gap-3">
            {uncounted
              .toSorted((a, b) => b.count - a.count)
              .map(({ reason, count }) => (
                <Bar
                  key={reason}
                  words={text(`uncounted.${reason}`, {
                    count,
                    kind: 'reel',
                    seconds,
                    share,
                    viewsADay: rules.watch.viewsADay,
                  })}
                  count={count}
                  all={shown}
                />
              ))}
          </ul>
        </section>
      )}
      {days.length > 0 && <DayChart days={days} />}
      <p className="mt-6">
        <Link to="/EarningInfo" className="text-link">
          {text('reelEarnings.rules')}
        </Link>
      </p>
    </>
  );
}

interface BarProps {
  words: string;
  count: number;
  all: number;
  /** Shows the number beside the words. */
  strong?: boolean;
}

function Bar({ words, count, all, strong }: BarProps) {
  const text = useText();
  const share = all > 0 ? (count / all) * 100 : 0;
  return (
    <li className="grid gap-1">
      <p className="flex items-baseline justify-between gap-4 leading-snug">
        <span className={strong ? 'font-semibold' : 'text-[0.9375rem] text-soft'}>{words}</span>
        {strong && <span className="figures font-bold">{text('figure', { count })}</span>}
      </p>
      <span aria-hidden className="block h-2 overflow-hidden rounded-full bg-sunken">
        <span
          className={`block h-full rounded-full ${strong ? 'bg-accent' : 'bg-line-strong'}`}
          style={{ width: `${share}%` }}
        />
      </span>
    </li>
  );
}

function NoReel() {
  const text = useText();
  return (
    <EmptyState
      drawing="reels"
      title={text('reelEarnings.none')}
      text={text('reelEarnings.noneText')}
      action={
        <Link to="/UserProfile" className={buttonLook('primary')}>
          {text('profile.title')}
        </Link>
      }
    />
  );
}
