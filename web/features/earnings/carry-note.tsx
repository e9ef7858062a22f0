import type { HistoryRecord, Withdrawal } from '#contract/earnings.ts';
import { useText } from '#web/text.tsx';
import { asDate } from './earnings.ts';
import { useMonthList } from './month-list.ts';

interface CarryNoteProps {
  record: HistoryRecord;
  /** All months of the same person. */
  months: readonly HistoryRecord[];
  /** The same person's, newest first. */
  withdrawals: Withdrawal[];
}

/** Says with which other months a month is paid: earlier ones below the minimum, or a later one. */
export function CarryNote({ record, months, withdrawals }: CarryNoteProps) {
  const text = useText();
  const listOf = useMonthList();
  const { carriedBy, carries, monthKey, status } = record;
  const requested = status ? (withdrawals[0]?.carried.map(({ month }) => month) ?? []) : [];
  const look = 'mt-2 text-[0.9375rem] text-soft';
  if (carriedBy) return <p className={look}>{text('carry.with', { months: listOf([asDate(carriedBy)]) })}</p>;
  if (requested.length > 0)
    return <p className={look}>{text('carry.includes', { months: listOf(requested.map(asDate)) })}</p>;
  if (carries.length === 0) return null;
  const claimed = [monthKey, ...carries.toReversed()];
  const parts = claimed.map((key) =>
    text('carry.part', {
      month: asDate(key),
      rupees: (months.find((one) => one.monthKey === key)?.paise ?? 0) / 100,
    }),
  );
  const shared = claimed.filter((one) => isClaimedTwice(one, months));
  return (
    <>
      <p className={`figures ${look}`}>{parts.join(' + ')}</p>
      {shared.length > 0 && (
        <p className={look}>
          {text('carry.once', { months: listOf(shared.map(asDate)), count: shared.length })}
        </p>
      )}
    </>
  );
}

/** Whether the buttons of two months offer to pay a month: the first one that is pressed pays it (decisions §4). */
const isClaimedTwice = (month: string, months: readonly HistoryRecord[]) =>
  months.filter(
    ({ withdrawable, monthKey, carries }) => withdrawable && (monthKey === month || carries.includes(month)),
  ).length > 1;
