import type { HistoryRecord } from '#contract/earnings.ts';
import { useText } from '#web/text.tsx';
import { asDate } from './earnings.ts';

/**
 * Decisions of operators about a month's views, with their reasons; released views that count in this month; and what is still deducted.
 */
export function Decisions({ of }: { of: Pick<HistoryRecord, 'decisions' | 'missingCoins'> }) {
  const text = useText();
  if (of.decisions.length === 0 && of.missingCoins === 0) return null;
  return (
    <ul className="mt-3 grid gap-2 text-[0.9375rem] leading-snug">
      {of.decisions.map(({ act, month, countsIn, views, coins, reason, decidedAt }) => (
        <li key={`${act} ${month} ${views} ${decidedAt}`}>
          <span className="block">
            {text(`decision.${act}In`, { views, coins, month: asDate(month), countsIn: asDate(countsIn) })}
          </span>
          <span className="block">{reason}</span>
          <time dateTime={decidedAt} className="figures text-soft">
            {text('moment', { at: new Date(decidedAt) })}
          </time>
        </li>
      ))}
      {of.missingCoins > 0 && <li>{text('decision.missing', { coins: of.missingCoins })}</li>}
    </ul>
  );
}
