import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useText } from '#web/text.tsx';
import { EmptyState } from '#web/ui/quiet-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { EndOfList } from '../lists/end-of-list.tsx';
import { ListError } from '../lists/list-error.tsx';
import { useList } from '../lists/use-list.ts';
import { type Line, linesOf } from './grouped-likes.ts';
import { NotificationLine } from './notification-line.tsx';
import { notificationOptions } from './notifications.ts';
import { sawAll, unreadOptions } from './unread.ts';

/** Number of lines under 'Earlier Notifications' (specification §9). */
const earlier = 3;
/** With fewer new lines in a page, many pages would be loaded until the window is full. */
const fewLines = 5;

export function NotificationList({ userId }: { userId: string }) {
  const text = useText();
  const [options] = useState(() => notificationOptions(userId));
  const list = useList(options);
  const [openedWith] = useState(list.dataUpdatedAt);
  const newest = list.items?.[0]?._id;
  useEffect(() => {
    // A stored or stale list may differ from the server's, and an empty one has nothing to mark as read.
    if (!newest || list.dataUpdatedAt <= openedWith) return;
    // If marking fails, they stay unread and are marked the next time.
    sawAll(userId, newest).catch(() => undefined);
  }, [list.dataUpdatedAt, openedWith, userId, newest]);

  // The badge shows that new notifications arrived, now or while the list was closed: the list is reloaded.
  const { data: unread = 0 } = useQuery({ ...unreadOptions(userId), enabled: false });
  const { refetch, isFetching, isSuccess } = list;
  const fetchNews = useEffectEvent(() => isSuccess && !isFetching && void refetch());
  useEffect(() => {
    if (unread > 0) fetchNews();
  }, [unread]);

  if (list.isPending) {
    return (
      <div role="status" aria-label={text('list.loading')} className="mt-6 grid gap-3">
        {[1, 2, 3, 4, 5].map((place) => (
          <Skeleton key={place} className="h-18 rounded-panel" />
        ))}
      </div>
    );
  }
  if (!list.data || !list.items) return <ListError title={text('activity.failed')} list={list} />;
  if (list.items.length === 0)
    return (
      <EmptyState drawing="notifications" title={text('activity.none')} text={text('activity.noneText')} />
    );
  const pages = list.data.pages.map(({ items }) => items);
  const lines = linesOf(pages);
  const newLines = lines.length - linesOf(pages.slice(0, -1)).length;
  return (
    <>
      <Section title={text('activity.earlier')} lines={lines.slice(0, earlier)} />
      {lines.length > earlier && <Section title={text('activity.all')} lines={lines.slice(earlier)} />}
      <EndOfList
        list={list}
        pageAt={() => '/Activity'}
        failed={text('activity.failed')}
        byClick={newLines < fewLines}
      />
    </>
  );
}

function Section({ title, lines }: { title: string; lines: Line[] }) {
  return (
    <section className="mt-6">
      <h2 className="mb-1 px-3 text-xl">{title}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line[0]._id}>
            <NotificationLine line={line} />
          </li>
        ))}
      </ul>
    </section>
  );
}
