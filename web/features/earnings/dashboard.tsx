import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Footprints, History, Lightbulb, type LucideIcon } from 'lucide-react';
import { Link } from 'react-router';
import { rates } from '#contract/earning-rules.ts';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { PanelSkeleton } from '#web/ui/panel-skeleton.tsx';
import { ListError } from '../lists/list-error.tsx';
import { Balance } from './balance.tsx';
import { Congratulation } from './congratulation.tsx';
import { historyOptions, thisMonthOptions } from './earnings.ts';
import type { KnownTotal } from './known-total.ts';
import { MonthLines } from './month-lines.tsx';
import { ThisMonth, ThisMonthLoading } from './this-month.tsx';

export function Dashboard({ userId }: { userId: string }) {
  const text = useText();
  const month = useQuery(thisMonthOptions(userId));
  // The history page is one click away and opens with its totals, so they are loaded here.
  const { data: history } = useQuery(historyOptions(userId));
  const total: KnownTotal | undefined = history && {
    coins: history.totalCoins,
    rupees: history.totalPaise / 100,
  };
  if (month.isPending) {
    return (
      <div role="status" aria-label={text('list.loading')} className="mt-5 grid gap-6">
        <ThisMonthLoading />
        <PanelSkeleton lines={6} />
      </div>
    );
  }
  if (!month.data) return <ListError title={text('dashboard.failed')} list={month} />;
  const record = month.data;
  return (
    <>
      <div className="mt-5 overflow-hidden rounded-panel shadow-raised">
        <ThisMonth record={record} yesterday={record.yesterday} />
        <Balance balance={history?.balance} />
      </div>
      <Congratulation userId={userId} record={record} />
      <section
        aria-labelledby="lines"
        className="mt-6 rounded-panel border border-line bg-surface px-5 pb-1 pt-5"
      >
        <h2 id="lines" className="mb-1 text-xl">
          {text('lines.title')}
        </h2>
        {record.coins === 0 && (
          <div className="pb-3 pt-1">
            <p className="text-soft">{text('dashboard.nothing', { coins: rates.coinsPerReel })}</p>
            <Link to="/ReelPost" className={buttonLook('primary', 'mt-4')}>
              {text('home.empty.action')}
            </Link>
          </div>
        )}
        <MonthLines lines={record.lines} totalCoins={record.coins} caption={text('lines.title')} />
      </section>
      <nav aria-label={text('dashboard.more')} className="mt-6 grid gap-3">
        <Way
          to="/EarningHistory"
          state={total}
          Icon={History}
          title={text('history.title')}
          about={total ? text('dashboard.historyTotal', { ...total }) : text('dashboard.historyText')}
        />
        <Way
          to="/EarningActivity"
          Icon={Footprints}
          title={text('earnActivity.title')}
          about={text('dashboard.activityText', { coins: record.activityCoins })}
        />
        <Way
          to="/EarningInfo"
          Icon={Lightbulb}
          title={text('earn.title')}
          about={text('dashboard.infoText')}
        />
      </nav>
    </>
  );
}

interface WayProps {
  to: string;
  state?: KnownTotal | undefined;
  Icon: LucideIcon;
  title: string;
  about: string;
}

function Way({ to, state, Icon, title, about }: WayProps) {
  return (
    <Link
      to={to}
      state={state}
      className="flex min-h-18 items-center gap-4 rounded-panel border border-line bg-surface px-5 py-3 transition-colors hover:border-line-strong"
    >
      <Icon aria-hidden className="size-6 shrink-0 text-accent-text" />
      <span className="min-w-0 flex-1">
        <span className="block text-lg font-semibold leading-tight">{title}</span>
        <span className="figures block text-[0.9375rem] text-soft">{about}</span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
    </Link>
  );
}
