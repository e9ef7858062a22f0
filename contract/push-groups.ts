import type { NotificationKind } from './notifications.ts';

/**
 * Groups of notifications for which push messages can be switched off. Messages about the account cannot be: an attacker with a
 * stolen token would switch them off first.
 */
export const pushGroups = ['likes', 'comments', 'followers', 'news'] as const;
export type PushGroup = (typeof pushGroups)[number];

const groups: Partial<Record<NotificationKind, PushGroup>> = {
  like_reel: 'likes',
  like_post: 'likes',
  comment: 'comments',
  mention: 'comments',
  follow: 'followers',
  new_reel: 'news',
  new_post: 'news',
  new_story: 'news',
};
export const groupOf = (kind: NotificationKind): PushGroup | 'account' => groups[kind] ?? 'account';
