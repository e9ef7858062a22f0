import { Link } from 'react-router';
import type { Notification } from '../../../contract/notifications.ts';
import { T, useText } from '../../text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { classNames } from '../../ui/class-names.ts';

/** Who did what, and when; it leads to the reel, or to the person. */
export function NotificationLine({ notification }: { notification: Notification }) {
  const text = useText();
  const { kind, username, senderId, aboutId, profileImage, read, createdAt } = notification;
  const isReel = kind === 'like_reel' || kind === 'comment';
  return (
    <Link
      to={isReel && aboutId ? `/videoplayer?reel=${aboutId}` : `/user/${senderId}`}
      state={isReel ? undefined : { username }}
      className="flex items-center gap-4 rounded-panel px-3 py-3 hover:bg-sunken"
    >
      <Avatar src={profileImage} name={username} className="size-12 text-xl" />
      <span className="min-w-0 flex-1">
        <span className={classNames('block leading-snug wrap-anywhere', !read && 'font-semibold')}>
          <T id={`activity.${kind}`} values={{ username }} />
        </span>
        <time dateTime={createdAt} className="text-[0.9375rem] text-soft">
          {text('date', { date: new Date(createdAt) })}
        </time>
      </span>
      {!read && (
        <span className="size-2.5 shrink-0 rounded-full bg-accent">
          <span className="sr-only">{text('activity.new')}</span>
        </span>
      )}
    </Link>
  );
}
