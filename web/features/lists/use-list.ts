import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';

/** One page of any list of the API (decisions §2). */
export interface ListPage<Item> {
  items: Item[];
  nextCursor: string | null;
}

export type List<Item> = InfiniteData<ListPage<Item>, string | null>;

export interface ListOptions<Item> {
  queryKey: readonly unknown[];
  /** The page that begins after a cursor; `null` is the list's beginning. */
  fetchPage: (cursor: string | null, signal: AbortSignal) => Promise<ListPage<Item>>;
  /** Where this list begins. */
  start: string | null;
  /** The page that the server has rendered already, or that was kept from an earlier visit. */
  first: ListPage<Item> | null;
  /** `first` is from an earlier visit: it is shown, and the server asked at once. */
  firstIsOld?: boolean;
  /** Another list (a search with a letter more) leaves the one before on the screen until it is there. */
  keepsPrevious?: boolean;
}

/** An endless list. Back finds it as it was; arriving anew refreshes it where it has grown old. */
export function useList<Item>({ queryKey: key, fetchPage, start, first, ...rest }: ListOptions<Item>) {
  const queries = useQueryClient();
  const queryKey = [...key, start];
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: start,
    getNextPageParam: (page: ListPage<Item>) => page.nextCursor,
    ...(first ? { initialData: { pages: [first], pageParams: [start] } } : {}),
    ...(first && rest.firstIsOld ? { initialDataUpdatedAt: 0 } : {}),
    ...(rest.keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    // Coming Back finds the list as it was left.
    refetchOnMount: false,
  });
  const cameBack = useNavigationType() === 'POP';
  const name = JSON.stringify(queryKey);
  const arrivedAt = useRef<string>(undefined);

  useEffect(() => {
    if (arrivedAt.current === name) return;
    arrivedAt.current = name;
    if (!list.data || list.isPlaceholderData) return;
    // Kept from an earlier visit and not asked for since: the server has the last word, however one came here.
    const onlyKept = list.dataUpdatedAt === 0;
    if (!onlyKept && (cameBack || !list.isStale)) return;
    queries.setQueryData<List<Item>>(
      queryKey,
      (old) => old && { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) },
      { updatedAt: list.dataUpdatedAt },
    );
    void queries.refetchQueries({ queryKey });
  });

  return {
    ...list,
    items: list.data?.pages.flatMap((page) => page.items),
    nextCursor: list.data?.pages.at(-1)?.nextCursor ?? null,
  };
}
