import { Link } from 'react-router';
import type { Withdrawal } from '#contract/earnings.ts';
import type { MaskedDestination } from '#contract/payouts.ts';
import type { EarnedMonth, Sharing } from '#contract/withdrawal-case.ts';
import { useText } from '#web/text.tsx';
import { Counted, type Fact } from './facts.tsx';

const table = 'w-full border-collapse text-left [&_td]:border-t [&_td]:border-line [&_td]:py-2 [&_td]:pr-4';
const number = 'text-right tabular-nums';

/** What a creator has earned in each month. */
export function Months({ months }: { months: readonly EarnedMonth[] }) {
  const text = useText();
  return (
    <table className={table}>
      <thead className="text-[0.9375rem] text-soft">
        <tr>
          <th className="font-normal">{text('console.fact.month')}</th>
          <th className="pr-4 text-right font-normal">{text('console.fact.coins')}</th>
          <th className="pr-4 text-right font-normal">{text('console.detail.rupees')}</th>
          <th className="font-normal">{text('console.filter.state')}</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, coins, paise, state }) => (
          <tr key={month}>
            <td>{text('console.month', { month: new Date(`${month}-01`) })}</td>
            <td className={number}>{text('console.number', { number: coins })}</td>
            <td className={number}>{text('money', { rupees: paise / 100 })}</td>
            <td>{text(`console.monthState.${state}`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Withdrawals of a creator, each with a link to its case. */
export function Withdrawals({ withdrawals }: { withdrawals: readonly Withdrawal[] }) {
  const text = useText();
  return (
    <table className={table}>
      <thead className="text-[0.9375rem] text-soft">
        <tr>
          <th className="font-normal">{text('console.fact.asked')}</th>
          <th className="pr-4 text-right font-normal">{text('console.detail.rupees')}</th>
          <th className="font-normal">{text('console.filter.state')}</th>
        </tr>
      </thead>
      <tbody>
        {withdrawals.map(({ _id, status, createdAt, paise, payout }) => (
          <tr key={_id}>
            <td>
              <Link to={`?part=withdrawals&state=${status}&case=${_id}`} className="text-link">
                {text('date', { date: new Date(createdAt) })}
              </Link>
            </td>
            <td className={number}>{text('money', { rupees: paise / 100 })}</td>
            <td>{text(`console.payout.${payout}`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where a creator is paid, and who else is paid there. */
export function destinationFacts(
  text: ReturnType<typeof useText>,
  destination: MaskedDestination | null,
  sharing: Sharing,
): Fact[] {
  return [
    [
      text('console.fact.destination'),
      destination && [destination.bank, destination.masked].filter(Boolean).join(' '),
    ],
    [text('console.fact.chosen'), destination && text('date', { date: new Date(destination.chosenAt) })],
    [
      text('console.fact.heldUntil'),
      destination?.heldUntil && text('moment', { at: new Date(destination.heldUntil) }),
    ],
    [text('console.fact.sharing'), destination && <SharedWith key="sharing" sharing={sharing} />],
  ];
}

function SharedWith({ sharing: { count, people } }: { sharing: Sharing }) {
  return (
    <span className="flex flex-wrap gap-x-3">
      <Counted count={count} />
      {people.map((person) => (
        <Link key={person._id} to={`?part=people&case=${person._id}`} className="text-link">
          @{person.username}
        </Link>
      ))}
    </span>
  );
}
