import { getNotifications } from '#contract/notifications.ts';
import { call } from '#web/api.ts';
import { persist, readPersisted } from '#web/persisted-lists.ts';
import type { ListOptions, ListPage } from '../lists/use-list.ts';
import { persistedNotifications, type ShownNotification } from './shown-notification.ts';
import { setUnread } from './unread.ts';

/** Enough to show likes of the same thing together, which makes few lines of many notifications. */
const limit = 50;

/** One page of one's notifications; the first page also updates the badge. */
async function notificationPage(
  userId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<ShownNotification>> {
  const query = { limit, ...(cursor ? { cursor } : {}) };
  const { data, unread, nextCursor } = await call(
    getNotifications,
    { params: { userId }, query },
    { signal },
  );
  const page = { items: data, nextCursor };
  if (!cursor) {
    persist(`notifications.${userId}`, page);
    setUnread(userId, unread);
  }
  return page;
}

/** Persisted in local storage and refreshed from the server (specification §4); deleted when its owner logs out. */
export function notificationOptions(userId: string): ListOptions<ShownNotification> {
  return {
    queryKey: ['notifications', userId],
    fetchPage: (cursor, signal) => notificationPage(userId, cursor, signal),
    start: null,
    first: readPersisted(`notifications.${userId}`, persistedNotifications) ?? null,
    firstIsOld: true,
  };
}
