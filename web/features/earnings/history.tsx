import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect } from 'react';
import { useLocation } from 'react-router';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Drawing } from '#web/ui/drawing.tsx';
import { PanelSkeleton } from '#web/ui/panel-skeleton.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useDestination } from '../payouts/use-destination.ts';
import { historyOptions } from './earnings.ts';
import { HistoryNotes } from './history-notes.tsx';
import { knownTotal } from './known-total.ts';
import { MoneyNow, MoneyUnknown } from './money-now.tsx';
import { MonthCard } from './month-card.tsx';
import { MonthChart } from './month-chart.tsx';
import { nextMoneyOf } from './next-money.ts';
import { Total } from './total.tsx';

/**
 * Earning History (specification §2): the amount that can be withdrawn, the total, the months with their withdrawals, the chart and the
 * notes.
 */
export function History({ userId, userName }: { userId: string; userName: string }) {
  const text = useText();
  const { state } = useLocation();
  const history = useQuery(historyOptions(userId));
  const destination = useDestination(userId);
  const { data: loaded, error } = history;
  // All of it appears at once, so that nothing moves.
  const isPending = history.isPending || destination.isLoading;
  const data = isPending ? undefined : loaded;
  useEffect(() => {
    // A history that fails to load is only logged (specification §8).
    if (error) console.error('The earning history did not load.', error);
  }, [error]);
  const total = data ? { coins: data.totalCoins, rupees: data.totalPaise / 100 } : knownTotal(state);
  const inMonths = data?.months.reduce((sum, month) => sum + month.paise, 0);
  const roundedDown = data !== undefined && inMonths !== data.totalPaise;
  return (
    <>
      {/* As below, the key replaces the card as a whole: it grows by what it says. */}
      <Fragment key={isPending ? 'money waiting' : 'money'}>
        {data ? (
          <MoneyNow money={nextMoneyOf(data)} withdrawals={data.withdrawals} destination={destination.data} />
        ) : (
          <MoneyUnknown loading={isPending} />
        )}
        <Total known={total} balance={data?.balance} loading={isPending} roundedDown={roundedDown} />
      </Fragment>
      {/* The key replaces the placeholder as a whole, so that the browser does not count it as a layout shift. */}
      <section key={isPending ? 'waiting' : 'here'} aria-labelledby="months" className="mt-7">
        <h2 id="months" className="text-2xl">
          {text('history.months')}
        </h2>
        {isPending && (
          <div className="mt-3 grid gap-4">
            <p role="status" className="text-soft">
              {text('history.loading')}
            </p>
            {[1, 2].map((month) => (
              <PanelSkeleton key={month} lines={3}>
                <Skeleton className="h-11 w-full rounded-control" />
              </PanelSkeleton>
            ))}
          </div>
        )}
        {error && !data && (
          <Button className="mt-4" busy={history.isFetching} onClick={() => void history.refetch()}>
            {text('list.retry')}
          </Button>
        )}
        {data?.months.length === 0 && (
          <div className="mt-6 grid justify-items-center gap-3 text-center">
            <Drawing name="earnings" />
            <p className="text-soft">{text('history.none')}</p>
          </div>
        )}
        <ul className="mt-3 grid gap-3">
          {data?.months.map((record) => (
            <li key={record.monthKey}>
              <MonthCard
                record={record}
                months={data.months}
                status={data.statuses[record.monthKey]}
                withdrawals={data.withdrawals.filter(({ month }) => month === record.monthKey)}
                userName={userName}
                heldUntil={destination.data?.heldUntil ?? null}
                lookAskedAt={data.lookAskedAt}
              />
            </li>
          ))}
        </ul>
      </section>
      {data && data.months.length > 0 && <MonthChart months={data.months} />}
      {!isPending && <HistoryNotes />}
    </>
  );
}
