import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { CallEndpoint } from '#contract/call.ts';
import { getReelsById, rankReels } from '#contract/taste.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { type FeedReel, feedReel } from '../feed/feed.ts';
import { ReelGrid } from '../feed/reel-grid.tsx';
import { currentToken } from '../session/session.ts';
import { isMuted, useMutes } from '../taste/mutes.ts';

/** The first page of the list for a visit of which nothing is known: popular reels, and new ones. */
export const popularReels = async (caller: CallEndpoint): Promise<FeedReel[]> =>
  (await caller(rankReels, { body: {} })).data.map(feedReel);

/** Those of them that are there for who asks. */
const thoseOf = async (reels: FeedReel[]): Promise<FeedReel[]> =>
  (await call(getReelsById, { body: { ids: reels.map(({ _id }) => _id) } })).data.map(feedReel);

/** Reels for somebody who has no words to search for yet; `first` is from the server. */
export function PopularReels({ first }: { first: FeedReel[] | null }) {
  const text = useText();
  const id = useId();
  const muted = useMutes();
  const { data = [] } = useQuery({
    queryKey: ['popular'],
    queryFn: () => (first?.length ? thoseOf(first) : popularReels(call)),
    ...(first ? { initialData: first } : {}),
    // The server's page is the same for everybody. The list is not made anew, since each one has another order.
    ...(first && currentToken() ? { initialDataUpdatedAt: 0 } : {}),
  });
  const reels = data.filter((reel) => !isMuted(reel, muted));
  if (reels.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mt-8 grid gap-4">
      <h2 id={id} className="text-2xl">
        {text('search.popular')}
      </h2>
      <ReelGrid reels={reels} />
    </section>
  );
}
