import {
  ChevronRight,
  Clapperboard,
  Coins,
  Footprints,
  ImagePlus,
  Plus,
  Settings,
  Sunrise,
} from 'lucide-react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { Button, buttonLook } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Menu, menuItemLook } from '#web/ui/menu.tsx';
import { useLogOut } from '../logout/use-log-out.ts';
import { ShareButton } from '../share/share-button.tsx';

const uploads = [
  { id: 'profile.uploadReel', to: '/ReelPost', Icon: Clapperboard },
  { id: 'profile.uploadPost', to: '/PhotoPost', Icon: ImagePlus },
  { id: 'profile.uploadStory', to: '/StoryPost', Icon: Sunrise },
] as const;
const earnings = [
  { id: 'profile.contentEarning', to: '/EarningDashboard', Icon: Coins },
  { id: 'profile.activityEarning', to: '/EarningActivity', Icon: Footprints },
] as const;

/** The three uploads (specification §2) as one menu, share and settings. */
export function OwnActions({ userId }: { userId: string | undefined }) {
  const text = useText();
  return (
    <>
      <Menu
        triggerClassName={buttonLook('primary', 'mr-1 px-4!')}
        panelClassName="right-auto! left-0"
        trigger={
          <>
            <Plus aria-hidden className="size-5 shrink-0" />
            {text('create.label')}
          </>
        }
      >
        <ul>
          {uploads.map(({ id, to, Icon }) => (
            <li key={id}>
              <Link to={to} className={menuItemLook}>
                <Icon aria-hidden className="size-5 shrink-0" />
                {text(id)}
              </Link>
            </li>
          ))}
        </ul>
      </Menu>
      {userId && <ShareButton path={`/user/${userId}`} />}
      <Link
        to="/Settings"
        aria-label={text('profile.settings')}
        title={text('profile.settings')}
        className="grid size-11 shrink-0 place-items-center rounded-full text-soft hover:bg-sunken"
      >
        <Settings aria-hidden className="size-5" />
      </Link>
    </>
  );
}

/** The two earnings as tiles; logout and the deletion of the account are small (specification §2). */
export function OwnPlaces({ userId }: { userId: string | undefined }) {
  const text = useText();
  const { leaving, logOut } = useLogOut();
  const smallLook = 'px-3! text-[0.9375rem] font-medium! text-soft!';
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <ul className="grid w-full grid-cols-2 gap-2 sm:w-auto sm:gap-3">
        {earnings.map(({ id, to, Icon }) => (
          <li key={id}>
            <Link
              to={to}
              className="flex h-full min-h-14 items-center gap-3 rounded-panel border border-line bg-surface px-3 py-2.5 font-semibold leading-snug transition-[border-color] duration-150 hover:border-line-strong sm:px-4"
            >
              <Icon aria-hidden className="size-6 shrink-0 text-accent-text" />
              <span className="min-w-0 flex-auto wrap-break-word">{text(id)}</span>
              <ChevronRight aria-hidden className="size-5 shrink-0 text-soft max-sm:hidden" />
            </Link>
          </li>
        ))}
      </ul>
      <div className="-mx-3 flex flex-wrap">
        <Button kind="quiet" className={smallLook} busy={leaving === 'here'} onClick={() => logOut('here')}>
          {text('profile.logout')}
        </Button>
        {/* The person's id may not be loaded yet; the space is reserved. */}
        <Link
          to={userId ? `/DeleteUser/${userId}` : '/UserProfile'}
          className={buttonLook('quiet', classNames(smallLook, !userId && 'invisible'))}
        >
          {text('profile.deleteAccount')}
        </Link>
      </div>
    </div>
  );
}
