import { useText } from '#web/text.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { BalanceOf } from './balance.tsx';
import { Coin } from './coin.tsx';
import type { KnownTotal } from './known-total.ts';

interface TotalProps {
  known: KnownTotal | undefined;
  balance: BalanceOf | undefined;
  loading: boolean;
  /** Whether the sum of the months, each rounded down, is less than the worth of all coins together. */
  roundedDown: boolean;
}

/** The summary box: coins of all months and their worth, and how much of it was requested and paid. */
export function Total({ known, balance, loading, roundedDown }: TotalProps) {
  const text = useText();
  const amounts = [
    ['balance.pending', balance?.pendingPaise],
    ['balance.paid', balance?.paidPaise],
  ] as const;
  return (
    <section
      aria-labelledby="total"
      className="mt-4 rounded-panel border border-line bg-surface px-5 py-3 text-[0.9375rem]"
    >
      <div className={row}>
        <h2 id="total" className="font-normal text-soft">
          {text('history.total')}
        </h2>
        {known ? (
          <p className="figures flex flex-wrap items-center gap-x-3">
            <span className="flex items-center gap-1.5">
              <Coin className="size-4" />
              {text('items.coins', { coins: known.coins })}
            </span>
            <strong>{text('money', { rupees: known.rupees })}</strong>
          </p>
        ) : (
          <TotalPlaceholder loading={loading} />
        )}
      </div>
      {roundedDown && <p className="pb-1 text-soft">{text('history.roundedDown')}</p>}
      <dl>
        {amounts.map(([label, paise]) => (
          <div key={label} className={row}>
            <dt className="text-soft">{text(label)}</dt>
            <dd className="figures font-semibold">
              {paise === undefined ? '—' : text('money', { rupees: paise / 100 })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const row = 'flex flex-wrap items-center justify-between gap-x-4 py-1';

/** Shown while the history loads, or if it failed. */
function TotalPlaceholder({ loading }: { loading: boolean }) {
  return loading ? <Skeleton className="h-5 w-32" /> : <p>—</p>;
}
