import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { Bell } from '../notifications/bell.tsx';
import { useSession } from '../session/use-session.ts';

/**
 * Login, or bell and profile. Both take the same space in any font, and a class set before the first paint hides Login from
 * signed-in people, so nothing moves when the font arrives and when the session is known.
 */
export function AccountLinks() {
  const text = useText();
  const { user, token } = useSession();
  return (
    <div className="flex w-23 items-center justify-end gap-1">
      {user && token ? (
        <>
          {user._id && (
            <Bell
              userId={user._id}
              className="grid size-11 place-items-center rounded-full hover:bg-sunken aria-[current=page]:text-accent-text"
            />
          )}
          <Link
            prefetch="intent"
            to="/UserProfile"
            aria-label={text('nav.profile')}
            title={text('nav.profile')}
            className="grid size-11 place-items-center rounded-full"
          >
            <Avatar
              src={user.profilePic}
              name={user.username ?? user.name ?? user.email}
              className="size-9"
            />
          </Link>
        </>
      ) : (
        <Link
          to="/LoginGoogle"
          prefetch="intent"
          className={buttonLook('primary', 'w-full px-0! whitespace-nowrap signed-in:invisible')}
        >
          {text('nav.login')}
        </Link>
      )}
    </div>
  );
}
