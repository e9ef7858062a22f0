import { boolean, nullable, object, string } from 'zod/mini';
import { getNotifications, type Notification } from '#contract/notifications.ts';
import { call } from '#web/api.ts';
import { persist, readPersisted } from '#web/persisted-lists.ts';
import { persistedPage } from '../lists/persisted-page.ts';
import type { ListOptions, ListPage } from '../lists/use-list.ts';
import { setUnread } from './unread.ts';

/** A notification as the list shows it. Its kind may be one that this page does not know yet: then its title is shown. */
export type ShownNotification = Omit<Notification, 'kind'> & { kind: string };

const persistedNotifications = persistedPage(
  object({
    _id: string(),
    kind: string(),
    title: string(),
    username: string(),
    senderId: string(),
    profileImage: string(),
    aboutId: nullable(string()),
    read: boolean(),
    createdAt: string(),
  }),
);

/** One page of one's notifications; the first page also updates the badge. */
async function notificationPage(
  userId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<ShownNotification>> {
  const query = cursor ? { cursor } : {};
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
