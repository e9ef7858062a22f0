import type { Withdrawal } from '#contract/earnings.ts';
import { useText } from '#web/text.tsx';
import { asDate } from './earnings.ts';

const next = {
  pending: 'timeline.nextPending',
  completed: 'timeline.nextCompleted',
  rejected: 'timeline.nextRejected',
} as const;

/** The steps of a month's withdrawals with their dates, oldest first, and the next step. */
export function Timeline({ month, withdrawals }: { month: string; withdrawals: Withdrawal[] }) {
  const text = useText();
  const steps = withdrawals.toReversed().flatMap((one) => {
    const requested = {
      id: `${one._id} asked`,
      at: one.createdAt,
      words: text('timeline.requested', { rupees: one.paise / 100 }),
      dot: 'bg-soft',
    };
    if (!one.decidedAt) return [requested];
    const decided =
      one.status === 'completed'
        ? { words: text('timeline.completed', { reference: one.reference }), dot: 'bg-good' }
        : { words: text('timeline.rejected', { reason: one.reason }), dot: 'bg-alert' };
    return [requested, { id: `${one._id} decided`, at: one.decidedAt, ...decided }];
  });
  const last = withdrawals[0]?.status;
  return (
    <div className="mt-5">
      <h4 className="sr-only">{text('timeline.title', { month: asDate(month) })}</h4>
      <ol className="grid">
        {steps.map(({ id, at, words, dot }) => (
          <li
            key={id}
            className="relative pb-4 pl-7 before:absolute before:bottom-0 before:left-[7px] before:top-2 before:w-0.5 before:bg-line"
          >
            <span
              aria-hidden
              className={`absolute left-0.5 top-1.5 size-3 rounded-full ring-4 ring-surface ${dot}`}
            />
            <span className="block leading-snug wrap-anywhere">{words}</span>
            <time dateTime={at} className="figures text-[0.9375rem] text-soft">
              {text('moment', { at: new Date(at) })}
            </time>
          </li>
        ))}
        {last && (
          <li className="relative pl-7 text-soft">
            <span
              aria-hidden
              className="absolute left-0.5 top-1.5 size-3 rounded-full border-2 border-line-strong bg-surface"
            />
            {text(next[last])}
          </li>
        )}
      </ol>
    </div>
  );
}
