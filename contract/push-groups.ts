import type { NotificationKind } from './notifications.ts';

/**
 * What of the notifications can be switched off. What is about the account cannot: who has stolen a token would switch it off
 * first.
 */
export const pushGroups = ['likes', 'comments', 'followers', 'news'] as const;
export type PushGroup = (typeof pushGroups)[number];

const groups: Partial<Record<NotificationKind, PushGroup>> = {
  like_reel: 'likes',
  like_post: 'likes',
  comment: 'comments',
  follow: 'followers',
  new_reel: 'news',
  new_post: 'news',
  new_story: 'news',
};
export const groupOf = (kind: NotificationKind): PushGroup | 'account' => groups[kind] ?? 'account';
