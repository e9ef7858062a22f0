import { getFollowedReels } from '#contract/taste.ts';
import { call } from '#web/api.ts';
import { type FeedPage, feedReel, shownReels } from '../feed/feed.ts';

/** The key of the query of Following. */
export const followingKey = [...shownReels, 'following'];

/** One page of the reels of the people whom the signed-in person follows, newest first. */
export async function followedPage(cursor: string | null, signal: AbortSignal): Promise<FeedPage> {
  const query = cursor ? { cursor } : {};
  const { data, nextCursor } = await call(getFollowedReels, { query }, { signal });
  return { items: data.map(feedReel), nextCursor };
}
