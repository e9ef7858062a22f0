import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, nextCursor, page, time } from './fields.ts';

export const notificationKinds = ['like_reel', 'like_post', 'comment', 'follow'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export const notification = z.object({
  _id: id,
  kind: z.enum(notificationKinds),
  /** A sentence in English; a client with another language makes its own of `kind` and `username`. */
  title: z.string(),
  username: z.string(),
  senderId: id,
  profileImage: z.string(),
  /** The reel or post it is about. */
  aboutId: id.nullable(),
  read: z.boolean(),
  createdAt: time,
});
export type Notification = z.infer<typeof notification>;

export const getNotifications = endpoint({
  method: 'GET',
  path: '/api/notification/getNotifications/:userId',
  summary: 'What happened around you, newest first, and how much of it you have not seen',
  tag: 'Notifications',
  access: 'person',
  limit: { perMinute: 240 },
  params: z.object({ userId: id }),
  query: page,
  response: ok({ data: z.array(notification), unread: z.int(), nextCursor }),
  errors: ['not_yours', 'bad_cursor'],
});

export const markRead = endpoint({
  method: 'POST',
  path: '/api/notification/markRead',
  summary: 'Say that you have seen all there is; what comes later is unread again',
  tag: 'Notifications',
  access: 'person',
  response: ok({ unread: z.int() }),
});
