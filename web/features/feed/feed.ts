import type { CallEndpoint } from '#contract/call.ts';
import { getAllReels, type Reel } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';
import type { List, ListOptions, ListPage } from '../lists/use-list.ts';

/** The fields that tiles and the player need. Long embedded lists are left out of pages and history state. */
const shown = [
  '_id',
  'userId',
  'username',
  'userProfilePic',
  'caption',
  'creadit',
  'source',
  'videourl',
  'renditions',
  'thumbnillurl',
  'posterurl',
  'placeholder',
  'width',
  'height',
  'duration',
  'captionTracks',
  'category',
  'views',
  'likeCount',
  'commentCount',
  'shareviews',
  'createdAt',
  'editedAt',
  'label',
] as const satisfies (keyof Reel)[];
export type FeedReel = Pick<Reel, (typeof shown)[number] | 'card'>;

export type FeedPage = ListPage<FeedReel>;

export function feedReel(reel: Reel): FeedReel {
  return Object.fromEntries(shown.map((name) => [name, reel[name]])) as unknown as FeedReel;
}

/** One page of the public feed, newest first (decisions §2: 24). */
export async function feedPage(
  caller: CallEndpoint,
  cursor: string | null,
  { signal, limit }: { signal?: AbortSignal; limit?: number } = {},
): Promise<FeedPage> {
  const query = { ...(cursor ? { cursor } : {}), ...(limit ? { limit } : {}) };
  const { data, nextCursor } = await caller(getAllReels, { query }, signal ? { signal } : {});
  return { items: data.map(feedReel), nextCursor };
}

/** Query key of every list of `FeedReel`. */
export const shownReels = ['reels', 'shown'] as const;
export const feedKey = [...shownReels, 'feed'];

/** The public feed from a cursor on; `first` is the page that the server has rendered. */
export function feedOptions(start: string | null, first: FeedPage | null): ListOptions<FeedReel> {
  return {
    queryKey: feedKey,
    fetchPage: (cursor, signal) => feedPage(call, cursor, { signal }),
    start,
    first,
  };
}

/** Query key of every list of somebody's own items (web/features/profile); a reel that is public is one's `reel`. */
export const ownLists = ['own'] as const;

/** A reel that is in a loaded list. */
export function reelInLists(id: string): FeedReel | undefined {
  return [shownReels, ownLists]
    .flatMap((queryKey) => queryClient().getQueriesData<List<FeedReel | { reel?: FeedReel }>>({ queryKey }))
    .flatMap(([, list]) => list?.pages ?? [])
    .flatMap((page) => page.items)
    .map((item) => ('videourl' in item ? item : item.reel))
    .find((reel) => reel?._id === id);
}

/** Updates the view count of a reel in all loaded lists. */
export function updateViews(id: string, views: number): void {
  queryClient().setQueriesData<List<FeedReel>>({ queryKey: shownReels }, (feed) => {
    if (!feed) return feed;
    const pages = feed.pages.map((page) => ({
      ...page,
      items: page.items.map((reel) => (reel._id === id ? { ...reel, views } : reel)),
    }));
    return { ...feed, pages };
  });
}

/** Marks the feed as stale after a reel was published or deleted, so that Home reloads it. */
export function feedChanged(): Promise<void> {
  return queryClient().invalidateQueries({ queryKey: feedKey });
}
