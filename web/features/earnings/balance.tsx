import type { getHistory } from '#contract/earnings.ts';
import type { Result } from '#contract/endpoint.ts';
import { useText } from '#web/text.tsx';

export type BalanceOf = Result<typeof getHistory>['data']['balance'];

/** The lower part of the top card: amounts that are available, requested and paid. Dashes until they are loaded. */
export function Balance({ balance }: { balance: BalanceOf | undefined }) {
  const text = useText();
  const amounts = [
    ['balance.available', balance?.availablePaise],
    ['balance.pending', balance?.pendingPaise],
    ['balance.paid', balance?.paidPaise],
  ] as const;
  return (
    <section
      aria-label={text('balance.title')}
      className="border-t border-white/15 bg-night px-6 py-4 text-night-text"
    >
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 min-[30rem]:grid-cols-[2fr_1fr_1fr]">
        {amounts.map(([label, paise], place) => (
          <div
            key={label}
            className={
              place === 0
                ? 'col-span-2 flex flex-col-reverse justify-end min-[30rem]:col-span-1'
                : 'flex flex-col-reverse justify-end'
            }
          >
            <dt className="text-[0.9375rem] leading-snug text-night-soft">{text(label)}</dt>
            <dd
              className={`figures font-bold leading-tight ${place === 0 ? 'text-2xl text-marigold' : 'text-xl min-[30rem]:pt-1'}`}
            >
              {paise === undefined ? '—' : text('money', { rupees: paise / 100 })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
