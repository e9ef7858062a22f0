import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '#web/api.ts';
import { type FeedReel, feedPage } from '../feed/feed.ts';
import { reelsOfPage } from '../feed/reels-of.ts';
import type { ListPage } from '../lists/use-list.ts';
import { type NextPages, nextPagesAfter } from './playlist.ts';

/** The pages of a list after those of the navigation state. Each call of `fetchMore` loads one. */
export function useNextPages(rest: NextPages | undefined) {
  const { of, cursor = null } = rest ?? {};
  const list = useInfiniteQuery({
    // The key is outside of the lists that are updated with counted views, so that displayed counts do not change.
    queryKey: ['player', of ?? 'feed', cursor],
    queryFn: ({ pageParam, signal }) =>
      of === undefined ? feedPage(call, pageParam, signal) : reelsOfPage(call, of, pageParam, signal),
    initialPageParam: cursor,
    getNextPageParam: (page: ListPage<FeedReel>) => page.nextCursor,
    // Pages are loaded only by `fetchMore`.
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const pages = list.data?.pages;
  const last = pages?.at(-1);
  return {
    pages,
    /** The source of the following pages. */
    rest: last ? nextPagesAfter(last.nextCursor, of) : rest,
    isFetching: list.isFetching,
    /** There is no network; loading continues by itself when it is back. */
    isPaused: list.isPaused,
    isError: list.isError && !list.isFetching,
    fetchMore: list.fetchNextPage,
  };
}
