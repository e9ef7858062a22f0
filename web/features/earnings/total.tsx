import { useText } from '#web/text.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Coin } from './coin.tsx';
import type { KnownTotal } from './known-total.ts';

interface TotalProps {
  known: KnownTotal | undefined;
  loading: boolean;
  /** Whether the sum of the months, each rounded down, is less than the worth of all coins together. */
  roundedDown: boolean;
}

/** The summary box: coins of all months and their worth. */
export function Total({ known, loading, roundedDown }: TotalProps) {
  const text = useText();
  return (
    <section aria-labelledby="total" className="coin-night min-h-38 px-6 py-5 text-night-text">
      <h2 id="total" className="text-lg font-semibold text-night-soft">
        {text('history.total')}
      </h2>
      {known ? (
        <>
          <p className="mt-2 flex flex-wrap items-center gap-3">
            <Coin className="size-9" />
            <strong className="figures text-5xl font-bold leading-none">
              {text('figure', { count: known.coins })}
            </strong>
            <span className="self-end text-lg font-semibold text-night-soft">
              {text('dashboard.coins', { coins: known.coins })}
            </span>
          </p>
          <p className="figures mt-3 text-2xl font-semibold">{text('money', { rupees: known.rupees })}</p>
          {roundedDown && (
            // The text ends before the light part of the background.
            <p className="mr-[22%] mt-1 text-pretty text-night-soft">{text('history.roundedDown')}</p>
          )}
        </>
      ) : (
        <TotalPlaceholder loading={loading} />
      )}
    </section>
  );
}

/** Shown while the history loads, or if it failed. */
function TotalPlaceholder({ loading }: { loading: boolean }) {
  if (loading) return <Skeleton className="mt-3 h-12 w-1/2 opacity-30" />;
  return <p className="mt-2 text-5xl font-bold leading-none">—</p>;
}
