import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '#web/api.ts';
import { type FeedReel, feedPage } from '../feed/feed.ts';
import { reelsOfPage } from '../feed/reels-of.ts';
import type { ListPage } from '../lists/use-list.ts';
import { type Rest, restAfter } from './playlist.ts';

/** The pages of a list after those that were handed over, one for each call of `fetchMore`. */
export function useRest(rest: Rest | undefined) {
  const { of, cursor = null } = rest ?? {};
  const list = useInfiniteQuery({
    // Not among the lists that learn of views as they are counted: a number on the screen stays as it is.
    queryKey: ['player', of ?? 'feed', cursor],
    queryFn: ({ pageParam, signal }) =>
      of === undefined ? feedPage(call, pageParam, signal) : reelsOfPage(call, of, pageParam, signal),
    initialPageParam: cursor,
    getNextPageParam: (page: ListPage<FeedReel>) => page.nextCursor,
    // Only what is asked for comes.
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const pages = list.data?.pages;
  const last = pages?.at(-1);
  return {
    pages,
    /** What is still to come. */
    rest: last ? restAfter(last.nextCursor, of) : rest,
    isFetching: list.isFetching,
    /** The network is away; it goes on by itself once it is back. */
    isPaused: list.isPaused,
    isError: list.isError && !list.isFetching,
    fetchMore: list.fetchNextPage,
  };
}
