import { useInfiniteQuery } from '@tanstack/react-query';
import { type EarningItem, getMonth } from '#contract/earnings.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { LinesSkeleton } from '#web/ui/panel-skeleton.tsx';
import { ListError } from '../lists/list-error.tsx';
import { Decisions } from './decisions.tsx';
import { asDate, isOfOthers } from './earnings.ts';
import { ItemLine } from './item-line.tsx';
import { MonthLines } from './month-lines.tsx';

/** The source of each coin of a month: its lines, then each item that earned. */
export function MonthItems({ userId, month }: { userId: string; month: string }) {
  const text = useText();
  const list = useInfiniteQuery({
    queryKey: ['month-items', userId, month],
    staleTime: 0,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(getMonth, { params: { userId, month }, query: cursor ? { cursor } : {} }, { signal }),
    getNextPageParam: (page) => page.nextCursor,
  });
  if (list.isPending) {
    return (
      <div role="status" aria-label={text('list.loading')} className="grid gap-7 px-4 py-3">
        <LinesSkeleton lines={6} />
      </div>
    );
  }
  const newest = list.data?.pages.at(-1);
  if (!list.data || !newest) return <ListError title={text('items.failed')} list={list} />;
  const { lines, pooledViews, pooledLikes, unpaidViews, unpaidLikes, totalCoins } = newest.data;
  const lineOf = { reel: 'reels', post: 'posts', story: 'stories' } as const;
  const paidOf = (item: EarningItem) => lines.find(({ kind }) => kind === lineOf[item.kind])?.paid ?? 0;
  const ofOthers = lines.filter(({ kind }) => isOfOthers(kind));
  const items: EarningItem[] = list.data.pages.flatMap((page) => page.data.items);
  return (
    <div className="px-4 pb-4">
      <MonthLines
        lines={lines}
        totalCoins={totalCoins}
        caption={text('history.detailsOf', { month: asDate(month) })}
      />
      <Decisions of={newest.data} />
      <h4 className="mt-5 font-bold">{text('items.title')}</h4>
      <ul>
        {items.map((item) => (
          <ItemLine key={item._id} item={item} paid={paidOf(item)} />
        ))}
      </ul>
      {newest.nextCursor ? (
        <LoadMore
          to="/EarningHistory"
          busy={list.isFetchingNextPage}
          failed={list.isFetchNextPageError}
          onMore={list.fetchNextPage}
          words={{
            more: text('list.more'),
            loading: text('list.loading'),
            retry: text('list.retry'),
            failed: text('items.moreFailed'),
          }}
        />
      ) : (
        <dl className="mt-4 grid gap-2 border-t border-line-strong pt-4">
          {pooledViews.count > 0 && (
            <Sum what={text('items.pooledViews', { count: pooledViews.count })} coins={pooledViews.coins} />
          )}
          {pooledLikes.count > 0 && (
            <Sum what={text('items.pooledLikes', { count: pooledLikes.count })} coins={pooledLikes.coins} />
          )}
          {unpaidViews.count > 0 && (
            <Sum what={text('items.unpaidViews', { count: unpaidViews.count })} coins={-unpaidViews.coins} />
          )}
          {unpaidLikes.count > 0 && (
            <Sum what={text('items.unpaidLikes', { count: unpaidLikes.count })} coins={-unpaidLikes.coins} />
          )}
          {ofOthers.map(({ kind, coins }) => (
            <Sum key={kind} what={text(`lines.${kind}`)} coins={coins} />
          ))}
          <Sum strong what={text('items.sum')} coins={totalCoins} />
        </dl>
      )}
    </div>
  );
}

function Sum({ what, coins, strong }: { what: string; coins: number; strong?: boolean }) {
  const text = useText();
  return (
    <div className={`flex items-baseline justify-between gap-4 ${strong ? 'font-bold' : ''}`}>
      <dt className="leading-snug">{what}</dt>
      <dd className="figures shrink-0 font-bold">{text('items.coins', { coins })}</dd>
    </div>
  );
}
