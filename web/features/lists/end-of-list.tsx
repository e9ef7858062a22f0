import { useText } from '#web/text.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import type { useList } from './use-list.ts';

interface EndOfListProps {
  list: Pick<
    ReturnType<typeof useList>,
    'nextCursor' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >;
  /** The URL of the page that begins after a cursor. */
  pageAt: (cursor: string) => string;
  /** The message when the next page could not be loaded. */
  failed: string;
  /** The message at the end of the list. */
  end?: string;
  /** The next page is loaded only on a click. */
  byClick?: boolean;
}

/** The element below a list: a button that loads more, or a message at the end. */
export function EndOfList({ list, pageAt, failed, end, byClick = false }: EndOfListProps) {
  const text = useText();
  if (!list.nextCursor) return end ? <p className="mt-10 text-center text-soft">{end}</p> : null;
  return (
    <LoadMore
      to={pageAt(encodeURIComponent(list.nextCursor))}
      busy={list.isFetchingNextPage}
      failed={list.isFetchNextPageError}
      byClick={byClick}
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
