import { boolean, nullable, object, string } from 'zod/mini';
import type { Notification } from '#contract/notifications.ts';
import { persistedPage } from '../lists/persisted-page.ts';

/**
 * A notification as the list shows it. Its kind may be one that this page does not know yet: then its title is shown. The id of a comment
 * is not stored in the browser.
 */
export type ShownNotification = Omit<Notification, 'kind' | 'commentId'> & {
  kind: string;
  commentId?: Notification['commentId'];
};

export const persistedNotifications = persistedPage<ShownNotification>(
  object({
    _id: string(),
    kind: string(),
    title: string(),
    username: string(),
    senderId: string(),
    profileImage: string(),
    aboutId: nullable(string()),
    about: nullable(object({ picture: string(), caption: string() })),
    comment: string(),
    read: boolean(),
    createdAt: string(),
  }),
);
