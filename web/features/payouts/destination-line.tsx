import { Link } from 'react-router';
import { labelOf } from '#contract/destination-label.ts';
import type { MaskedDestination } from '#contract/payouts.ts';
import { useText } from '#web/text.tsx';

/** Says where earnings are paid, and links to the page where that is entered. `undefined` if it failed to load. */
export function DestinationLine({ destination }: { destination: MaskedDestination | null | undefined }) {
  const text = useText();
  if (destination === undefined) return null;
  const to = destination && labelOf(destination);
  return (
    <p className="mt-4 text-pretty">
      {text(to ? 'payout.paidTo' : 'payout.nowhere', { to: to ?? '' })}{' '}
      {destination?.heldUntil && `${text('payout.held', { date: new Date(destination.heldUntil) })} `}
      {destination?.nameNotTaken && `${text('payout.nameNotTaken')} `}
      <Link to="/PayoutDestination" className="text-link">
        {text(to ? 'payout.changeLink' : 'payout.add')}
      </Link>
    </p>
  );
}
