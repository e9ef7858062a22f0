import { getNotifications, markRead } from '#contract/notifications.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';

/** How many of one's notifications are unread, as the badge shows it. */
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

/** Sets the badge, in this tab and in every other. */
export function setUnread(userId: string, unread: number): void {
  show(userId, unread);
  channel?.postMessage({ userId, unread });
}

function show(userId: string, unread: number): void {
  const { queryKey } = unreadOptions(userId);
  // An answer still on its way was counted before this one.
  void queryClient().cancelQueries({ queryKey });
  queryClient().setQueryData(queryKey, unread);
}

/** Says that all up to the newest shown has been seen: at the server, and then in every tab. */
export async function sawAll(userId: string, newest: string): Promise<void> {
  const { unread } = await call(markRead, { query: { upTo: newest } });
  setUnread(userId, unread);
}
