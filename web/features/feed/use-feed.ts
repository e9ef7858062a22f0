import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';
import { type FeedPage, feedQuery } from './feed.ts';

/** The endless feed. Back finds it as it was; arriving anew refreshes it where it has grown old. */
export function useFeed(start: string | null, first: FeedPage | null) {
  const queries = useQueryClient();
  const options = feedQuery(start, first);
  const feed = useInfiniteQuery(options);
  const cameBack = useNavigationType() === 'POP';
  const arrivedAtOld = useRef(!cameBack && feed.data !== undefined && feed.isStale);

  useEffect(() => {
    if (!arrivedAtOld.current) return;
    arrivedAtOld.current = false;
    queries.setQueryData(
      options.queryKey,
      (old) => old && { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) },
    );
    void queries.refetchQueries({ queryKey: options.queryKey });
  });

  return feed;
}
