import { CalendarClock, CircleCheck, Hourglass, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { HistoryRecord } from '#contract/earnings.ts';
import { ratesOf } from '#contract/rates.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { asDate } from './earnings.ts';
import { useWithdraw } from './use-withdraw.ts';

interface MonthActionProps {
  record: HistoryRecord;
  /** How its withdrawal stands (specification §3): pending, anything else for completed, undefined for none. */
  status: string | undefined;
  userName: string;
}

/** What can be done with a month now (specification §4): nothing yet, withdraw, wait, or nothing any more. */
export function MonthAction({ record, status, userName }: MonthActionProps) {
  const text = useText();
  const place = useRef<HTMLDivElement>(null);
  const request = useWithdraw(record, userName);
  const { state } = record;
  // The two answers are of two moments: what either knows to be under way is not asked for again.
  const standing = status ?? (state === 'pending' || state === 'completed' ? state : undefined);
  const offered = record.withdrawable && standing === undefined;
  const { asked, busy, refusal } = request;
  useEffect(() => {
    // The button that was pressed is gone: who presses with a keyboard stays where it stood.
    if (asked && !offered) place.current?.focus();
  }, [asked, offered]);

  let what: ReactNode;
  if (state === 'current') what = <State Icon={CalendarClock} words={text('history.current')} />;
  else if (standing === 'pending')
    what = <State Icon={Hourglass} words={text('history.pending')} look="text-accent-text" />;
  else if (standing) what = <State Icon={CircleCheck} words={text('history.completed')} look="text-good" />;
  else if (!offered)
    what = <p className="text-soft">{text('history.tooLittle', { least: leastOf(record) })}</p>;
  else {
    const describing = `withdraw-${record.monthKey}`;
    what = (
      <>
        <Button
          kind="primary"
          busy={busy}
          aria-describedby={describing}
          onClick={() => void request.withdraw()}
          className="w-full sm:w-auto sm:min-w-48"
        >
          {text(busy ? 'history.processing' : 'history.withdraw')}
        </Button>
        <span id={describing} className="sr-only">
          {text('history.withdrawMonth', { rupees: record.paise / 100, month: asDate(record.monthKey) })}
        </span>
      </>
    );
  }
  return (
    <div ref={place} tabIndex={-1} className="rounded-control outline-none">
      {what}
      {refusal && (
        <p role="alert" className="mt-3 rounded-control bg-alert-ground px-4 py-3 font-medium text-alert">
          {refusal}
        </p>
      )}
    </div>
  );
}

/** The smallest withdrawal in rupees, by the rates of the month. */
const leastOf = ({ monthKey }: HistoryRecord) => ratesOf(monthKey).minimumWithdrawalPaise / 100;

function State({ Icon, words, look = 'text-soft' }: { Icon: LucideIcon; words: string; look?: string }) {
  return (
    <p className={`flex items-center gap-2 font-semibold ${look}`}>
      <Icon aria-hidden className="size-5 shrink-0" />
      {words}
    </p>
  );
}
