import { useText } from '#web/text.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import type { useList } from './use-list.ts';

interface EndOfListProps {
  list: Pick<
    ReturnType<typeof useList>,
    'nextCursor' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >;
  /** Address of the page that begins after a cursor. */
  pageAt: (cursor: string) => string;
  /** Said when the next page did not come. */
  failed: string;
  /** Said where the list ends. */
  end?: string;
}

/** What stands below a list: more of it, or its end. */
export function EndOfList({ list, pageAt, failed, end }: EndOfListProps) {
  const text = useText();
  if (!list.nextCursor) return end ? <p className="mt-10 text-center text-soft">{end}</p> : null;
  return (
    <LoadMore
      to={pageAt(encodeURIComponent(list.nextCursor))}
      busy={list.isFetchingNextPage}
      failed={list.isFetchNextPageError}
      onMore={list.fetchNextPage}
      words={{
        more: text('list.more'),
        loading: text('list.loading'),
        retry: text('list.retry'),
        failed,
      }}
    />
  );
}
