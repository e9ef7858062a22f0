import { getNotifications, markRead } from '#contract/notifications.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';

/** The number of unread notifications, for the badge. */
export const unreadOptions = (userId: string) => ({
  queryKey: ['unread', userId],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(getNotifications, { params: { userId }, query: { limit: 1 } }, { signal })).unread,
});

// One tab passes changes of the badge to the others.
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('jhalak.unread');
channel?.addEventListener('message', ({ data }: MessageEvent<{ userId: string; unread: number }>) =>
  show(data.userId, data.unread),
);

/** Sets the badge in this tab and all others. */
export function setUnread(userId: string, unread: number): void {
  show(userId, unread);
  channel?.postMessage({ userId, unread });
}

function show(userId: string, unread: number): void {
  const { queryKey } = unreadOptions(userId);
  // A response that is still in flight would be older than this value.
  void queryClient().cancelQueries({ queryKey });
  queryClient().setQueryData(queryKey, unread);
}

/** Marks all notifications up to the newest shown as read, at the server and then in every tab. */
export async function sawAll(userId: string, newest: string): Promise<void> {
  const { unread } = await call(markRead, { query: { upTo: newest } });
  setUnread(userId, unread);
}
