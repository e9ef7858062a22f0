import type { Notification, PersonalKind } from './notifications.ts';

type FromPerson = Pick<Notification, 'senderId' | 'aboutId'> & Partial<Pick<Notification, 'commentId'>>;

const toPerson = ({ senderId }: FromPerson) => `/user/${senderId}`;
const toReel = (one: FromPerson) => (one.aboutId ? `/videoplayer?reel=${one.aboutId}` : toPerson(one));
// The player shows the comments, and this one.
const toComment = (one: FromPerson) =>
  one.aboutId && one.commentId ? `${toReel(one)}#${one.commentId}` : toReel(one);
const toPhoto = (one: FromPerson) => (one.aboutId ? `/post/${one.aboutId}` : toPerson(one));

/** The page to which a notification from a person leads, on the site and in a push message. */
export const personalPages = {
  like_reel: toReel,
  like_post: toPhoto,
  comment: toComment,
  mention: toComment,
  follow: toPerson,
  new_reel: toReel,
  new_post: toPhoto,
  new_story: ({ senderId }) => `/story/${senderId}`,
} satisfies Record<PersonalKind, (one: FromPerson) => string>;
