import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';
import { currentToken } from '../session/session.ts';

/** One page of any list of the API (decisions §2). */
export interface ListPage<Item> {
  items: Item[];
  nextCursor: string | null;
}

export type List<Item> = InfiniteData<ListPage<Item>, string | null>;

export interface ListOptions<Item> {
  queryKey: readonly unknown[];
  /** Fetches the page after a cursor; `null` is the first page. */
  fetchPage: (cursor: string | null, signal: AbortSignal) => Promise<ListPage<Item>>;
  /** The cursor of the first page shown; `null` for the beginning of the list. */
  start: string | null;
  /** The first page, from server rendering or from local storage. */
  first: ListPage<Item> | null;
  /** `first` is from local storage: it is shown, and refetched at once. So is one from the server for a signed-in person. */
  firstIsOld?: boolean;
  /** When the key changes (a search with one more letter), the previous list stays visible until the new one is loaded. */
  keepsPrevious?: boolean;
}

/** A list with infinite scrolling. Going back shows it unchanged; a new visit refetches it if it is stale. */
export function useList<Item>({ queryKey: key, fetchPage, start, first, ...rest }: ListOptions<Item>) {
  const queries = useQueryClient();
  const queryKey = [...key, start];
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: start,
    getNextPageParam: (page: ListPage<Item>) => page.nextCursor,
    ...(first ? { initialData: { pages: [first], pageParams: [start] } } : {}),
    // The server's page is the same for everybody; a signed-in person's own list may leave people out.
    ...(first && (rest.firstIsOld || currentToken()) ? { initialDataUpdatedAt: 0 } : {}),
    ...(rest.keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    // Going back shows the list as it was left.
    refetchOnMount: false,
  });
  const cameBack = useNavigationType() === 'POP';
  const name = JSON.stringify(queryKey);
  const arrivedAt = useRef<string>(undefined);

  useEffect(() => {
    if (arrivedAt.current === name) return;
    arrivedAt.current = name;
    if (!list.data || list.isPlaceholderData) return;
    // Such a first page that was never refetched is refetched even when going back.
    const isOld = list.dataUpdatedAt === 0;
    if (!isOld && (cameBack || !list.isStale)) return;
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
