import { getNotifications, markRead, type Notification } from '../../../contract/notifications.ts';
import { call } from '../../api.ts';
import { keep, readKept } from '../../kept.ts';
import { queryClient } from '../../query-client.ts';
import type { ListOptions, ListPage } from '../lists/use-list.ts';

/** One page of one's notifications; the first also tells the badge how many are unread. */
async function notificationPage(
  userId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<Notification>> {
  const query = { limit: 24, ...(cursor ? { cursor } : {}) };
  const { data, unread, nextCursor } = await call(
    getNotifications,
    { params: { userId }, query },
    { signal },
  );
  const page = { items: data, nextCursor };
  if (!cursor) {
    keep(`notifications.${userId}`, page);
    setUnread(userId, unread);
  }
  return page;
}

/** Kept in local storage and refreshed from the server (specification §4). */
export function notificationOptions(userId: string): ListOptions<Notification> {
  return {
    queryKey: ['notifications', userId],
    fetchPage: (cursor, signal) => notificationPage(userId, cursor, signal),
    start: null,
    first: readKept<ListPage<Notification>>(`notifications.${userId}`) ?? null,
    firstIsOld: true,
  };
}

export const unreadOptions = (userId: string) => ({
  queryKey: ['unread', userId],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(getNotifications, { params: { userId }, query: { limit: 1 } }, { signal })).unread,
});

// What one tab learns of the badge, the others are told.
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('jhalak.unread');
channel?.addEventListener('message', ({ data }: MessageEvent<{ userId: string; unread: number }>) =>
  queryClient().setQueryData(unreadOptions(data.userId).queryKey, data.unread),
);

function setUnread(userId: string, unread: number): void {
  queryClient().setQueryData(unreadOptions(userId).queryKey, unread);
  channel?.postMessage({ userId, unread });
}

/** Says that all has been seen: here, at the server and in every tab. */
export async function sawAll(userId: string): Promise<void> {
  await call(markRead);
  setUnread(userId, 0);
}
