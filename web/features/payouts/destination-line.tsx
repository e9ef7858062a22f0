import { Link } from 'react-router';
import { labelOf } from '#contract/destination-label.ts';
import type { MaskedDestination } from '#contract/payouts.ts';
import { useText } from '#web/text.tsx';

/** Says where earnings are paid, and links to the page where that is entered. */
export function DestinationLine({ destination }: { destination: MaskedDestination | null }) {
  const text = useText();
  return (
    <p>
      {destination && `${text('payout.paidTo', { to: labelOf(destination) })} `}
      <Link to="/PayoutDestination" className="text-link">
        {text(destination ? 'payout.changeLink' : 'payout.addWhere')}
      </Link>
    </p>
  );
}
