import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '#web/api.ts';
import { feedPage } from '../feed/feed.ts';
import { reelsOfPage } from '../feed/reels-of.ts';
import type { ListPage } from '../lists/use-list.ts';
import { nextPagesOf, onlyOf, shownOf } from './new-first.ts';
import type { NextPages, PlayedReel } from './playlist.ts';
import { seenReels } from './seen-reels.ts';

/** Somebody may have seen whole pages of the feed. */
const largestPage = 100;

/** The scripts of lists that are seldom played are loaded with their first page. */
async function pageOf(
  { list, cursor = null }: NextPages,
  signal: AbortSignal,
): Promise<ListPage<PlayedReel>> {
  if (list.of === 'feed')
    return feedPage(call, cursor, { signal, ...(list.only ? { limit: largestPage } : {}) });
  if (list.of === 'person') return reelsOfPage(call, list.userId, cursor, signal);
  return (await import('./other-lists.ts')).otherPage(list, cursor, signal);
}

/** The pages of a list after those of the navigation state. Each call of `fetchMore` loads one. */
export function useNextPages(rest: NextPages | undefined) {
  const begin: NextPages = rest ?? { list: { of: 'feed' }, cursor: undefined };
  const [seen] = useState(seenReels);
  const list = useInfiniteQuery({
    // The key is outside of the lists that are updated with counted views, so that displayed counts do not change.
    queryKey: ['player', begin],
    queryFn: async ({ pageParam, signal }) => {
      const { items, nextCursor } = await pageOf(pageParam, signal);
      return { items, only: onlyOf(pageParam), next: nextPagesOf(nextCursor, pageParam) };
    },
    initialPageParam: begin,
    getNextPageParam: ({ next }) => (next.cursor === undefined ? undefined : next),
    // Pages are loaded only by `fetchMore`.
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const pages = list.data?.pages;
  const last = pages?.at(-1);
  const more = useMemo(
    () => (pages ?? []).flatMap(({ items, only }) => shownOf(items, only, seen)),
    [pages, seen],
  );
  return {
    /** The reels of the pages. */
    more,
    /** The source of the following pages. */
    rest: last ? last.next : rest,
    isFetching: list.isFetching,
    /** There is no network; loading continues by itself when it is back. */
    isPaused: list.isPaused,
    isError: list.isError && !list.isFetching,
    fetchMore: list.fetchNextPage,
  };
}
