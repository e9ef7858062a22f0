import type { CallEndpoint } from '#contract/call.ts';
import { getFriendReels } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import type { ListOptions } from '../lists/use-list.ts';
import { type FeedPage, type FeedReel, feedReel, shownReels } from './feed.ts';

/** One page of a person's public reels, newest first. */
export async function reelsOfPage(
  caller: CallEndpoint,
  userId: string,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<FeedPage> {
  const query = cursor ? { cursor } : {};
  const { data, nextCursor } = await caller(
    getFriendReels,
    { params: { userId }, query },
    signal ? { signal } : {},
  );
  // The owner also gets reels that are processing or taken down; they are shown on the own profile only.
  return {
    items: data.filter((reel) => reel.state === 'ready' && reel.takenDown === null).map(feedReel),
    nextCursor,
  };
}

export function reelsOfOptions(
  userId: string,
  start: string | null,
  first: FeedPage | null,
): ListOptions<FeedReel> {
  return {
    queryKey: [...shownReels, 'of', userId],
    fetchPage: (cursor, signal) => reelsOfPage(call, userId, cursor, signal),
    start,
    first,
  };
}
