import { useRef } from 'react';
import { Link } from 'react-router';
import type { Withdrawal } from '#contract/earnings.ts';
import type { PayoutStep } from '#contract/payouts.ts';
import { useText } from '#web/text.tsx';
import { CancelWithdrawal, canBeCancelled } from './cancel-withdrawal.tsx';
import { asDate } from './earnings.ts';

/** What comes next, by what the payout waits for or how it ended. */
const next = {
  waiting_for_destination: 'payout.nextDestination',
  waiting_for_name: 'payout.nextName',
  waiting_for_address: 'payout.nextAddress',
  on_hold: 'payout.nextHold',
  in_review: 'timeline.nextPending',
  approved: 'timeline.nextApproved',
  sent: 'timeline.nextSent',
  failed: 'timeline.nextAgain',
  returned: 'timeline.nextAgain',
  paid: 'timeline.nextCompleted',
  rejected: 'timeline.nextRejected',
  cancelled: 'timeline.nextCancelled',
} as const;
/** Where the creator does what a payout waits for. */
const links: Partial<
  Record<
    Withdrawal['payout'],
    { to: string; label: 'payout.add' | 'payout.enterName' | 'payout.verify' | 'payout.check' }
  >
> = {
  waiting_for_destination: { to: '/PayoutDestination', label: 'payout.add' },
  waiting_for_name: { to: '/PayoutDestination', label: 'payout.enterName' },
  waiting_for_address: { to: '/Settings', label: 'payout.verify' },
  failed: { to: '/PayoutDestination', label: 'payout.check' },
  returned: { to: '/PayoutDestination', label: 'payout.check' },
};
const waitingStates = [
  'waiting_for_destination',
  'waiting_for_name',
  'waiting_for_address',
  'on_hold',
  'in_review',
] as const;
const dots = {
  approved: 'bg-soft',
  sent: 'bg-soft',
  paid: 'bg-good',
  failed: 'bg-alert',
  returned: 'bg-alert',
};

interface TimelineProps {
  month: string;
  /** Newest first. */
  withdrawals: Withdrawal[];
  /** When the hold of the destination ends, if it is on hold. */
  heldUntil: string | null;
}

/** The steps of a month's withdrawals with their dates, oldest first, where the last one is now, and what comes next. */
export function Timeline({ month, withdrawals, heldUntil }: TimelineProps) {
  const text = useText();
  const place = useRef<HTMLDivElement>(null);
  const last = withdrawals[0];
  const link = last && links[last.payout];
  const waits = waitingStates.find((one) => one === last?.payout);
  const wordsOf = (step: PayoutStep['step'], note: string | null) => {
    if (step === 'paid') return text('timeline.completed', { reference: note });
    // Of a payment that was found in the payer's record after a restore nobody knows where it went.
    if (step === 'sent' && note === null) return text('timeline.sentSomewhere');
    return text(`timeline.${step}`, { note: note ?? '' });
  };
  const steps = withdrawals.toReversed().flatMap((one) => {
    const requested = {
      id: `${one._id} asked`,
      at: one.createdAt,
      words: text('timeline.requested', { rupees: one.paise / 100 }),
      dot: 'bg-soft',
    };
    // What waited for something has a step of its own when it waits no more.
    const isLater = one.readyAt !== null && one.readyAt !== one.createdAt;
    const ready = {
      id: `${one._id} ready`,
      at: one.readyAt ?? '',
      words: text('timeline.ready'),
      dot: 'bg-soft',
    };
    const payments = one.steps.map(({ step, at, note }, place) => ({
      id: `${one._id} ${place}`,
      at,
      words: wordsOf(step, note),
      dot: dots[step],
    }));
    const before = [...(isLater ? [requested, ready] : [requested]), ...payments];
    if (one.status !== 'rejected' || !one.decidedAt) return before;
    const isCancelled = one.payout === 'cancelled';
    const words = isCancelled
      ? text('timeline.cancelled')
      : text('timeline.rejected', { reason: one.reason });
    const dot = isCancelled ? 'bg-soft' : 'bg-alert';
    return [...before, { id: `${one._id} rejected`, at: one.decidedAt, words, dot }];
  });
  return (
    // Gets the focus when its button disappears, for keyboard users.
    <div ref={place} tabIndex={-1} className="mt-4 rounded-control outline-none">
      <h4 className="sr-only">{text('timeline.title', { month: asDate(month) })}</h4>
      <ol className="grid">
        {steps.map(({ id, at, words, dot }) => (
          <li
            key={id}
            className="relative pb-3 pl-7 before:absolute before:bottom-0 before:left-[7px] before:top-2 before:w-0.5 before:bg-line"
          >
            <span
              aria-hidden
              className={`absolute left-0.5 top-1.5 size-3 rounded-full ring-4 ring-surface ${dot}`}
            />
            <span className="block leading-snug">{words}</span>
            <time dateTime={at} className="figures text-[0.9375rem] text-soft">
              {text('moment', { at: new Date(at) })}
            </time>
          </li>
        ))}
        {waits && (
          <li
            aria-current="step"
            className="relative pb-3 pl-7 before:absolute before:bottom-0 before:left-[7px] before:top-2 before:w-0.5 before:bg-line"
          >
            <span
              aria-hidden
              className="absolute left-0.5 top-1.5 size-3 rounded-full bg-accent ring-4 ring-surface"
            />
            <span className="block leading-snug">{text(`payout.${waits}`)}</span>
            {waits === 'on_hold' && heldUntil && (
              <time dateTime={heldUntil} className="figures text-[0.9375rem] text-soft">
                {text('payout.until', { at: new Date(heldUntil) })}
              </time>
            )}
          </li>
        )}
        {last && (
          <li className="relative pl-7 text-soft">
            <span
              aria-hidden
              className="absolute left-0.5 top-1.5 size-3 rounded-full border-2 border-line-strong bg-surface"
            />
            {text(next[last.payout])}
            {link && (
              <Link to={link.to} className="text-link block w-fit text-text">
                {text(link.label)}
              </Link>
            )}
          </li>
        )}
      </ol>
      {last && canBeCancelled(last) && (
        <CancelWithdrawal withdrawal={last} onCancelled={() => place.current?.focus()} />
      )}
    </div>
  );
}
