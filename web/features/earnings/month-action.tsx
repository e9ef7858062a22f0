import { CalendarClock, CircleCheck, Hourglass, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { rates } from '#contract/earning-rules.ts';
import type { HistoryRecord } from '#contract/earnings.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { WithdrawSheet } from '../payouts/withdraw-sheet.tsx';
import { asDate } from './earnings.ts';
import { useWithdraw } from './use-withdraw.ts';

/** The id of the button that requests a month. */
export const buttonIdOf = (month: string) => `withdraw-button-${month}`;

interface MonthActionProps {
  record: HistoryRecord;
  /** State of its withdrawal (specification §3): pending, anything else means completed, undefined means none. */
  status: string | undefined;
  userName: string;
}

/** The action for a month (specification §4): a button for each past month without a withdrawal, or the state of the one that it has. */
export function MonthAction({ record, status, userName }: MonthActionProps) {
  const text = useText();
  const place = useRef<HTMLDivElement>(null);
  const [asks, setAsks] = useState(false);
  const request = useWithdraw(record, userName);
  const { state } = record;
  // The two responses may be of different times: a withdrawal that one of them knows of cannot be requested again.
  const standing = status ?? (state === 'pending' || state === 'completed' ? state : undefined);
  const offered = state !== 'current' && standing === undefined;
  const { requested, busy, refusal } = request;
  useEffect(() => {
    // The pressed button has disappeared, so its place gets the focus, for keyboard users.
    if (requested && !offered) place.current?.focus();
  }, [requested, offered]);

  let what: ReactNode;
  if (state === 'current') what = <State Icon={CalendarClock} words={text('history.current')} />;
  else if (standing === 'pending')
    what = <State Icon={Hourglass} words={text('history.pending')} look="text-accent-text" />;
  else if (standing) what = <State Icon={CircleCheck} words={text('history.completed')} look="text-good" />;
  else if (state === 'counting')
    what = (
      <>
        <Button
          disabled
          aria-describedby={`counting-${record.monthKey}`}
          className="w-full sm:w-auto sm:min-w-48"
        >
          {text('history.withdraw')}
        </Button>
        <p id={`counting-${record.monthKey}`} className="mt-2 text-[0.9375rem] text-soft">
          {text('history.counting', { month: asDate(record.monthKey) })}
        </p>
      </>
    );
  else {
    const { withdrawable } = record;
    const describing = `withdraw-${record.monthKey}`;
    what = (
      <>
        <Button
          id={buttonIdOf(record.monthKey)}
          kind={withdrawable ? 'primary' : 'secondary'}
          busy={busy}
          aria-describedby={describing}
          // What is refused anyway needs no confirmation: the server says why.
          onClick={() => (withdrawable ? setAsks(true) : void request.withdraw())}
          className="w-full sm:w-auto sm:min-w-48"
        >
          {busy
            ? text('history.processing')
            : withdrawable
              ? text('history.withdrawAmount', { rupees: record.payablePaise / 100 })
              : text('history.withdraw')}
        </Button>
        {asks && (
          <WithdrawSheet
            userId={record.userId}
            month={asDate(record.monthKey)}
            paise={record.payablePaise}
            carries={record.carries.map(asDate)}
            onClose={() => setAsks(false)}
            onConfirm={() => {
              setAsks(false);
              void request.withdraw();
            }}
          />
        )}
        {!withdrawable && (
          <p className="mt-2 text-[0.9375rem] text-soft">{text('history.tooLittle', { least: minimum })}</p>
        )}
        <span id={describing} className="sr-only">
          {text('history.withdrawMonth', {
            rupees: record.payablePaise / 100,
            month: asDate(record.monthKey),
          })}
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

/** The smallest withdrawal in rupees. */
const minimum = rates.minimumWithdrawalPaise / 100;

function State({ Icon, words, look = 'text-soft' }: { Icon: LucideIcon; words: string; look?: string }) {
  return (
    <p className={`flex items-center gap-2 font-semibold ${look}`}>
      <Icon aria-hidden className="size-5 shrink-0" />
      {words}
    </p>
  );
}
