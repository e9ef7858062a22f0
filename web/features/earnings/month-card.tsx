import { ChevronDown, FileText } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { HistoryRecord, Withdrawal } from '#contract/earnings.ts';
import { T, useText } from '#web/text.tsx';
import { AskForLook } from './ask-for-look.tsx';
import { CarryNote } from './carry-note.tsx';
import { Decisions } from './decisions.tsx';
import { asDate } from './earnings.ts';
import { MonthAction } from './month-action.tsx';
import { MonthItems } from './month-items.tsx';
import { Timeline } from './timeline.tsx';

interface MonthCardProps {
  record: HistoryRecord;
  /** All months of the same person. */
  months: readonly HistoryRecord[];
  /** State of its withdrawal; undefined if there is none. */
  status: string | undefined;
  withdrawals: Withdrawal[];
  userName: string;
  /** When the hold of the destination ends, if it is on hold. */
  heldUntil: string | null;
  /** When the creator requested a review of the views that wait. */
  lookAskedAt: string | null;
}

/** The label of a month is in the browser's locale, even if the page is in another language (specification §3). */
const monthLabel = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** One month: its coins, its withdrawal, and on request the source of each coin. */
export function MonthCard({
  record,
  months,
  status,
  withdrawals,
  userName,
  heldUntil,
  lookAskedAt,
}: MonthCardProps) {
  const text = useText();
  const id = useId();
  const [open, setOpen] = useState(false);
  const month = asDate(record.monthKey);
  const figures = [
    ['history.reels', record.reels],
    ['history.posts', record.posts],
    ['history.stories', record.stories],
    ['history.views', record.views],
    ['history.likes', record.likes],
    ['history.coins', record.totalCoins],
  ] as const;
  return (
    <article aria-labelledby={id} className="rounded-panel border border-line bg-surface">
      <div className="px-4 pb-3 pt-3.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h3 id={id} className="text-lg">
            <T
              id="history.earning"
              values={{ month: monthLabel.format(month) }}
              parts={{ name: <span className="text-text" />, soft: <span className="text-soft" /> }}
            />
          </h3>
          <p className="figures text-xl font-bold">{text('money', { rupees: record.paise / 100 })}</p>
        </div>
        <dl className="mt-1.5 grid grid-cols-2 gap-x-5 text-[0.9375rem] leading-snug">
          {figures.map(([label, count]) => (
            <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-2 py-0.5">
              <dt className="text-soft">{text(label)}</dt>
              <dd className="figures ml-auto font-semibold">{text('figure', { count })}</dd>
            </div>
          ))}
        </dl>
        {record.waitingViews > 0 && (
          <p className="mt-3 text-[0.9375rem] leading-snug">
            {text('history.waiting', { views: record.waitingViews })}
          </p>
        )}
        {record.waitingViews > 0 && record.counted && (
          <AskForLook userId={record.userId} askedAt={lookAskedAt} />
        )}
        <Decisions of={record} />
        <div className="mt-3">
          <MonthAction record={record} status={status} userName={userName} />
          <CarryNote record={record} months={months} withdrawals={withdrawals} />
        </div>
        {withdrawals.length > 0 && (
          <Timeline month={record.monthKey} withdrawals={withdrawals} heldUntil={heldUntil} />
        )}
      </div>
      <div className="flex flex-wrap justify-between border-t border-line px-2.5">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={`${id}items`}
          aria-label={text('history.detailsOf', { month })}
          onClick={() => setOpen(!open)}
          className="flex min-h-11 items-center gap-1 rounded-control px-1.5 pt-0.5 text-[0.9375rem] text-left font-semibold hover:bg-sunken"
        >
          <ChevronDown
            aria-hidden
            className={`size-5 shrink-0 transition-transform ${open ? 'rotate-180' : ''}`}
          />
          {text('history.details')}
        </button>
        <Link
          to={`/EarningHistory/${record.monthKey}/statement`}
          aria-label={text('history.statementOf', { month })}
          className="flex min-h-11 items-center gap-1 rounded-control px-1.5 pt-0.5 text-[0.9375rem] font-semibold hover:bg-sunken"
        >
          <FileText aria-hidden className="size-5 shrink-0" />
          {text('history.statement')}
        </Link>
      </div>
      <div id={`${id}items`} hidden={!open}>
        {open && <MonthItems userId={record.userId} month={record.monthKey} />}
      </div>
    </article>
  );
}
