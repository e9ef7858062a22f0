import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { rules } from '#contract/earning-rules.ts';
import { type EarningItem, getMonth } from '#contract/earnings.ts';
import { call } from '#web/api.ts';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { useSite } from '../chrome/use-site.ts';
import { monthIn } from './earnings.ts';

await loadPart('earnings');

const paidOf = { reel: 'reels', post: 'posts', story: 'stories' } as const;

/** What was published by the person who looks. */
export interface Publication {
  _id: string;
  userId: string;
  createdAt: string;
}

/**
 * What a publication counts in its month, or why it counts nothing. Shows nothing until that is known. For a reel it leads to the page on which
 * its views are counted from now on.
 */
export default function PublicationCoins({ work }: { work: Publication }) {
  const text = useText();
  const { timeZone } = useSite();
  const { _id: id, userId, createdAt } = work;
  const month = monthIn(timeZone, new Date(createdAt));
  const { data } = useQuery({
    queryKey: ['month-items', userId, month, 'newest', id],
    queryFn: ({ signal }) => call(getMonth, { params: { userId, month } }, { signal }),
  });
  // The newest items come first.
  const item = data?.data.items.find(({ _id }) => _id === id);
  // A copy is told of beside this.
  if (!item || item.duplicate) return null;
  const sentence = sentenceOf(item, text);
  return (
    <p className="text-[0.9375rem] text-soft">
      {item.kind === 'reel' ? (
        <Link to={`/EarningHistory/reel/${id}`} className="underline underline-offset-4">
          {sentence}
        </Link>
      ) : (
        sentence
      )}
    </p>
  );
}

function sentenceOf({ kind, unpaid, publishedCoins: coins }: EarningItem, text: ReturnType<typeof useText>) {
  if (!unpaid) return text('published.coins', { coins });
  return text(`unpaid.${unpaid}`, {
    paid: rules.paidPublications[paidOf[kind]],
    seconds: rules.shortestPaidReel,
  });
}
