import { useEffect, useState } from 'react';
import type { Notification } from '../../../contract/notifications.ts';
import { useText } from '../../text.tsx';
import { EmptyState } from '../../ui/quiet-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EndOfList } from '../lists/end-of-list.tsx';
import { ListError } from '../lists/list-error.tsx';
import { useList } from '../lists/use-list.ts';
import { NotificationLine } from './notification-line.tsx';
import { notificationOptions, sawAll } from './notifications.ts';

/** How many stand under 'Earlier Notifications' (specification §9). */
const earlier = 3;

export function NotificationList({ userId }: { userId: string }) {
  const text = useText();
  const [options] = useState(() => notificationOptions(userId));
  const list = useList(options);
  const arrived = list.isSuccess && !list.isStale;
  useEffect(() => {
    if (!arrived) return;
    // Unseen news that could not be marked stay unread, and are marked the next time.
    sawAll(userId).catch(() => undefined);
  }, [arrived, userId]);

  if (list.isPending) {
    return (
      <div role="status" aria-label={text('list.loading')} className="mt-6 grid gap-3">
        {[1, 2, 3, 4, 5].map((place) => (
          <Skeleton key={place} className="h-18 rounded-panel" />
        ))}
      </div>
    );
  }
  if (!list.items) return <ListError title={text('activity.failed')} list={list} />;
  if (list.items.length === 0)
    return <EmptyState title={text('activity.none')} text={text('activity.noneText')} />;
  return (
    <>
      <Group title={text('activity.earlier')} items={list.items.slice(0, earlier)} />
      {list.items.length > earlier && (
        <Group title={text('activity.all')} items={list.items.slice(earlier)} />
      )}
      <EndOfList list={list} pageAt={() => '/Activity'} failed={text('activity.failed')} />
    </>
  );
}

function Group({ title, items }: { title: string; items: Notification[] }) {
  return (
    <section className="mt-6">
      <h2 className="mb-1 px-3 text-xl">{title}</h2>
      <ul>
        {items.map((item) => (
          <li key={item._id}>
            <NotificationLine notification={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}
