import { rates } from '#contract/earning-rules.ts';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Coin } from './coin.tsx';
import { asDate, type MonthRecord } from './earnings.ts';

interface ThisMonthProps {
  record: MonthRecord;
  yesterday: { watched: number; viewCoins: number };
}

/** This month's coins, their worth, the distance to the next rupee, and what yesterday added by views. */
export function ThisMonth({ record, yesterday }: ThisMonthProps) {
  const text = useText();
  const { coins, paise, month } = record;
  const { coinsPerRupee } = rates;
  const towards = coins % coinsPerRupee;
  const next = Math.floor(coins / coinsPerRupee) + 1;
  return (
    <section aria-labelledby="this-month" className="coin-night on-night px-6 pb-6 pt-5 text-night-text">
      <h2 id="this-month" className="text-lg font-semibold text-night-soft">
        {text('month', { month: asDate(month) })}
      </h2>
      <p className="mt-2 flex flex-wrap items-center gap-x-3">
        <Coin className="size-11" />
        <strong className="figures text-6xl font-bold leading-none">
          {text('figure', { count: coins })}
        </strong>
        <span className="self-end text-xl font-semibold text-night-soft">
          {text('dashboard.coins', { coins })}
        </span>
      </p>
      <p className="figures mt-3 text-xl font-semibold">{text('dashboard.soFar', { rupees: paise / 100 })}</p>
      <div
        role="progressbar"
        aria-label={text('dashboard.growth', { rupees: next })}
        aria-valuemin={0}
        aria-valuemax={coinsPerRupee}
        aria-valuenow={towards}
        aria-valuetext={text('dashboard.growthNow', { coins: towards, all: coinsPerRupee })}
        className="mt-5 h-3 overflow-hidden rounded-full bg-night-raised ring-1 ring-white/15"
      >
        <div
          className={classNames('h-full rounded-full bg-marigold', towards > 0 && 'min-w-3')}
          style={{ width: `${(towards / coinsPerRupee) * 100}%` }}
        />
      </div>
      <p className="figures mt-2 text-night-soft">
        {text('dashboard.toNext', { left: coinsPerRupee - towards, rupees: next })}
      </p>
      {yesterday.watched > 0 && (
        // Beside the band of light.
        <p className="figures mt-2 text-balance font-semibold max-sm:pr-24">
          {text('dashboard.yesterday', { watched: yesterday.watched, coins: yesterday.viewCoins })}
        </p>
      )}
    </section>
  );
}

export function ThisMonthLoading() {
  return (
    <div aria-hidden className="coin-night rounded-panel px-6 pb-6 pt-5 shadow-raised *:opacity-30">
      <Skeleton className="h-7 w-32" />
      <Skeleton className="mt-2 h-15 w-52" />
      <Skeleton className="mt-3 h-7 w-40" />
      <Skeleton className="mt-5 h-3 rounded-full" />
      <Skeleton className="mt-2 h-6 w-56" />
    </div>
  );
}
