import { House, type LucideIcon, Plus, Search } from 'lucide-react';
import { NavLink } from 'react-router';
import { useText } from '#web/text.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Bell } from '../notifications/bell.tsx';
import { useSession } from '../session/use-session.ts';
import { CreateMenu } from './create-menu.tsx';

const itemLook =
  'flex h-(--foot-bar) min-w-11 flex-col items-center justify-center text-[0.6875rem] font-medium leading-tight whitespace-nowrap hover:bg-sunken focus-visible:-outline-offset-3 aria-[current=page]:font-bold aria-[current=page]:text-accent-text';
const captionLook = 'mt-0.5 short:sr-only';

/** The places that people look for first, at the foot of a small screen. Only signed-in people have it; visitors have the header. */
export function FootBar() {
  const text = useText();
  const { user, token } = useSession();
  if (!user || !token) return null;
  return (
    <nav
      aria-label={text('nav.places')}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-ground pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      <ul className="mx-auto grid max-w-xl grid-cols-5">
        <li>
          <Place to="/" label={text('nav.homeShort')} Icon={House} />
        </li>
        <li>
          <Place to="/search" label={text('nav.search')} Icon={Search} />
        </li>
        <li>
          <CreateMenu
            triggerClassName={itemLook}
            panelClassName="top-auto! right-auto! bottom-full left-1/2 mb-2 -translate-x-1/2"
            trigger={
              <>
                <Plus aria-hidden className="size-6 rounded-full bg-accent p-0.5 text-on-accent" />
                <span className={captionLook}>{text('create.label')}</span>
              </>
            }
          />
        </li>
        <li>
          {user._id && (
            <Bell userId={user._id} className={itemLook}>
              <span className={captionLook}>{text('nav.activity')}</span>
            </Bell>
          )}
        </li>
        <li>
          <NavLink to="/UserProfile" prefetch="intent" className={itemLook}>
            <Avatar
              src={user.profilePic}
              name={user.username ?? user.name ?? user.email}
              className="size-6 text-sm"
            />
            <span className={captionLook}>{text('nav.profile')}</span>
          </NavLink>
        </li>
      </ul>
    </nav>
  );
}

function Place({ to, label, Icon }: { to: string; label: string; Icon: LucideIcon }) {
  return (
    <NavLink to={to} end prefetch="intent" className={itemLook}>
      <Icon aria-hidden className="size-6" />
      <span className={captionLook}>{label}</span>
    </NavLink>
  );
}
