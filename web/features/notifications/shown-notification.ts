import { boolean, nullable, object, string } from 'zod/mini';
import type { Notification } from '#contract/notifications.ts';
import { persistedPage } from '../lists/persisted-page.ts';

/** A notification as the list shows it. Its kind may be one that this page does not know yet: then its title is shown. */
export type ShownNotification = Omit<Notification, 'kind'> & { kind: string };

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
