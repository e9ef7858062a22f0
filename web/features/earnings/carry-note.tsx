import type { HistoryRecord, Withdrawal } from '#contract/earnings.ts';
import { useText } from '#web/text.tsx';
import { asDate } from './earnings.ts';
import { useMonthList } from './month-list.ts';

interface CarryNoteProps {
  record: HistoryRecord;
  /** The same person's, newest first. */
  withdrawals: Withdrawal[];
}

/** Says with which other months a month is paid: earlier ones below the minimum, or a later one. */
export function CarryNote({ record, withdrawals }: CarryNoteProps) {
  const text = useText();
  const listOf = useMonthList();
  const { carriedBy, carries, payablePaise, status } = record;
  const requested = status ? (withdrawals[0]?.carried.map(({ month }) => month) ?? []) : [];
  const look = 'mt-2 text-[0.9375rem] text-soft';
  if (carriedBy) return <p className={look}>{text('carry.with', { months: listOf([asDate(carriedBy)]) })}</p>;
  if (requested.length > 0)
    return <p className={look}>{text('carry.includes', { months: listOf(requested.map(asDate)) })}</p>;
  if (carries.length === 0) return null;
  const months = listOf(carries.map(asDate));
  return <p className={look}>{text('carry.together', { months, rupees: payablePaise / 100 })}</p>;
}
