import { Link } from 'react-router';
import type { NotificationKind } from '#contract/notifications.ts';
import { T, useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { ShownNotification } from './notifications.ts';

type Line = ShownNotification;
const toPerson = ({ senderId }: Line) => `/user/${senderId}`;
const toSettings = () => '/Settings';
const toHistory = () => '/EarningHistory';
const toDestination = () => '/PayoutDestination';
const toReel = (line: Line) => (line.aboutId ? `/videoplayer?reel=${line.aboutId}` : toPerson(line));
const toPhoto = (line: Line) => (line.aboutId ? `/post/${line.aboutId}` : toPerson(line));

/** The page to which a notification of each kind leads. */
const targets = {
  like_reel: toReel,
  like_post: toPhoto,
  comment: toReel,
  follow: toPerson,
  new_reel: toReel,
  new_post: toPhoto,
  new_story: ({ senderId }) => `/story/${senderId}`,
  new_device: toSettings,
  google_linked: toSettings,
  google_unlinked: toSettings,
  destination_set: toDestination,
  destination_removed: toDestination,
  destination_needed: toDestination,
  name_needed: toDestination,
  address_needed: () => '/VerifyEmail',
  withdrawal_requested: toHistory,
  withdrawal_in_review: toHistory,
  withdrawal_approved: toHistory,
  withdrawal_retried: toHistory,
  withdrawal_sent: toHistory,
  withdrawal_failed: toDestination,
  withdrawal_returned: toDestination,
  withdrawal_paid: toHistory,
  withdrawal_rejected: toHistory,
  withdrawal_cancelled: toHistory,
  work_is_own: toHistory,
  work_is_copy: toHistory,
  month_released: toHistory,
  month_void: toHistory,
  factor_set: toSettings,
  factor_reset: toSettings,
  operator_appointed: toSettings,
  operator_removed: toSettings,
  recovery_code_used: toSettings,
  address_verified: toSettings,
  reset_link_made: toSettings,
  passkey_added: toSettings,
  passkey_removed: toSettings,
} satisfies Record<NotificationKind, (line: Line) => string>;

const isKnown = (kind: string): kind is keyof typeof targets => Object.hasOwn(targets, kind);

/** The person, the event and its time, with a link to the content or the person. */
export function NotificationLine({ notification }: { notification: Line }) {
  const text = useText();
  const { kind, title, username, profileImage, read, createdAt } = notification;
  const to = isKnown(kind) ? targets[kind](notification) : toPerson(notification);
  return (
    <Link
      to={to}
      state={to.startsWith('/user/') ? { username } : undefined}
      className="flex items-center gap-4 rounded-panel px-3 py-3 hover:bg-sunken"
    >
      <Avatar src={profileImage} name={username} className="size-12 text-xl" />
      <span className="min-w-0 flex-1">
        <span className={classNames('block leading-snug', !read && 'font-semibold')}>
          {isKnown(kind) ? <T id={`activity.${kind}`} values={{ username }} /> : title}
        </span>
        <TimeAgo at={createdAt} className="text-[0.9375rem] text-soft" />
      </span>
      {!read && (
        <span className="size-2.5 shrink-0 rounded-full bg-accent">
          <span className="sr-only">{text('activity.new')}</span>
        </span>
      )}
    </Link>
  );
}
