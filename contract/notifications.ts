import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, nextCursor, page, text, time } from './fields.ts';
import { invalid } from './invalid.ts';

/** From a person. */
const personalKinds = [
  'like_reel',
  'like_post',
  'comment',
  'mention',
  'follow',
  'new_reel',
  'new_post',
  'new_story',
] as const;
/** From the site: about the receiver's own account. */
export const siteKinds = [
  'new_device',
  'google_linked',
  'google_unlinked',
  'destination_set',
  'destination_removed',
  'destination_needed',
  'name_needed',
  'address_needed',
  'withdrawal_requested',
  'withdrawal_in_review',
  'withdrawal_approved',
  'withdrawal_retried',
  'withdrawal_sent',
  'withdrawal_failed',
  'withdrawal_returned',
  'withdrawal_paid',
  'withdrawal_rejected',
  'withdrawal_cancelled',
  'work_is_own',
  'work_is_copy',
  'work_taken_down',
  'work_labelled',
  'account_suspended',
  'decision_upheld',
  'decision_reversed',
  'month_released',
  'month_void',
  'factor_set',
  'factor_reset',
  'operator_appointed',
  'operator_removed',
  'recovery_code_used',
  'address_verified',
  'reset_link_made',
  'passkey_added',
  'passkey_removed',
] as const;
export const notificationKinds = [...personalKinds, ...siteKinds] as const;
export type PersonalKind = (typeof personalKinds)[number];
export type SiteKind = (typeof siteKinds)[number];
export type NotificationKind = (typeof notificationKinds)[number];

export const notification = z.object({
  _id: id,
  kind: z.enum(notificationKinds),
  /** An English sentence. Clients in other languages use `kind` and `username`. */
  title: z.string(),
  /** Of the sender; `jhalak` if it is from the site. */
  username: z.string(),
  /** From the site: the id of the receiver. */
  senderId: id,
  profileImage: z.string(),
  /** The reel, post, story or decision concerned. */
  aboutId: id.nullable(),
  /** What it is about: a small picture and the beginning of its caption. Null if there is nothing, or if it is not public any more. */
  about: z.object({ picture: z.string(), caption: z.string() }).nullable(),
  /** The text of a comment, also of one with a mention; empty for other kinds. */
  comment: z.string(),
  /** Its id. Null for other kinds. */
  commentId: id.nullable(),
  read: z.boolean(),
  createdAt: time,
});
export type Notification = z.infer<typeof notification>;

export const getNotifications = endpoint({
  method: 'GET',
  path: '/api/notification/getNotifications/:userId',
  summary: 'Your notifications, newest first, and the number of unread ones',
  tag: 'Notifications',
  access: 'person',
  limit: { perPerson: 240 },
  params: z.object({ userId: id }),
  query: page,
  response: ok({ data: z.array(notification), unread: z.int(), nextCursor }),
  errors: ['not_yours', 'bad_cursor'],
});

export const markRead = endpoint({
  method: 'POST',
  path: '/api/notification/markRead',
  summary: 'Mark all notifications as read, or all up to one; later ones are unread',
  tag: 'Notifications',
  access: 'person',
  limit: { perPerson: 120 },
  query: z.object({ upTo: id.optional() }),
  response: ok({ unread: z.int() }),
});

const device = text(400, invalid('device'))
  .trim()
  .min(1, { error: invalid('device') });

export const registerDevice = endpoint({
  method: 'POST',
  path: '/api/notification/register',
  summary:
    'Register this device for push messages, until this session ends. A device belongs to one person at a time',
  tag: 'Notifications',
  access: 'person',
  limit: { perPerson: 60 },
  body: z.object({ device, platform: z.enum(['android', 'ios'], { error: invalid('platform') }) }),
  response: ok({}),
  errors: ['too_many_devices'],
});

export const unregisterDevice = endpoint({
  method: 'POST',
  path: '/api/notification/unregister',
  summary: 'Stop sending notifications to this device',
  tag: 'Notifications',
  access: 'person',
  limit: { perPerson: 60 },
  body: z.object({ device }),
  response: ok({}),
});
