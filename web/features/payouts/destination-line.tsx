import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useDestination } from './use-destination.ts';

/** One line that says where earnings are paid, with the way to say it. */
export function DestinationLine({ userId }: { userId: string }) {
  const text = useText();
  const { data, isPending } = useDestination(userId);
  if (isPending) return <Skeleton className="mt-4 h-6 w-3/4" />;
  // Nothing is said of it if it failed to load: the page is about months.
  if (data === undefined) return null;
  const to = data && (data.bank === null ? data.masked : `${data.bank} ${data.masked}`);
  return (
    <p className="mt-4 min-h-6 text-pretty">
      {text(to ? 'payout.paidTo' : 'payout.nowhere', { to: to ?? '' })}{' '}
      <Link to="/PayoutDestination" className="text-link">
        {text(to ? 'payout.changeLink' : 'payout.sayWhere')}
      </Link>
    </p>
  );
}
