import {
  Clapperboard,
  Coins,
  Footprints,
  ImagePlus,
  LogOut,
  MonitorSmartphone,
  Settings,
  Sunrise,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useText } from '#web/text.tsx';
import { Button, buttonLook } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { notify } from '#web/ui/notices.ts';
import { logOutEverywhere, logOutHere } from '../logout/log-out.ts';

const uploads = [
  { id: 'profile.uploadReel', to: '/ReelPost', Icon: Clapperboard, wide: true },
  { id: 'profile.uploadPost', to: '/PhotoPost', Icon: ImagePlus },
  { id: 'profile.uploadStory', to: '/StoryPost', Icon: Sunrise },
] as const;
const more = [
  { id: 'profile.contentEarning', to: '/EarningDashboard', Icon: Coins },
  { id: 'profile.activityEarning', to: '/EarningActivity', Icon: Footprints },
  { id: 'profile.settings', to: '/Settings', Icon: Settings },
] as const;

/** The actions of the own profile (specification §2): publish, see earnings, change settings, log out. */
export function OwnActions({ userId }: { userId: string | undefined }) {
  const text = useText();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState<'here' | 'everywhere'>();

  async function leaveBy(way: 'here' | 'everywhere') {
    setLeaving(way);
    try {
      const next = await (way === 'here' ? logOutHere : logOutEverywhere)();
      if (next.startsWith('/')) await navigate(next);
      else location.assign(next);
    } catch {
      setLeaving(undefined);
      notify('error', text('profile.logoutEverywhereFailed'));
    }
  }

  return (
    <div className="grid gap-3">
      <ul className="grid gap-3 min-[24rem]:grid-cols-2 sm:grid-cols-3">
        {uploads.map(({ id, to, Icon, ...look }) => (
          <li key={id} className={'wide' in look ? 'min-[24rem]:max-sm:col-span-2' : undefined}>
            <Link to={to} className={buttonLook('wide' in look ? 'primary' : 'secondary', 'size-full px-3!')}>
              <Icon aria-hidden className="size-5 shrink-0 max-[26rem]:hidden" />
              {text(id)}
            </Link>
          </li>
        ))}
      </ul>
      <div className="grid gap-3 sm:grid-cols-3">
        {more.map(({ id, to, Icon }) => (
          <Link key={id} to={to} className={buttonLook('quiet', 'bg-sunken px-3! hover:bg-line')}>
            <Icon aria-hidden className="size-5 shrink-0 max-[26rem]:hidden" />
            {text(id)}
          </Link>
        ))}
      </div>
      <div className="flex flex-wrap gap-x-3 border-t border-line pt-3 *:flex-auto sm:grid sm:grid-cols-3">
        <Button kind="quiet" className="px-3!" busy={leaving === 'here'} onClick={() => leaveBy('here')}>
          <LogOut aria-hidden className="size-5 shrink-0 max-[26rem]:hidden" />
          {text('profile.logout')}
        </Button>
        <Button
          kind="quiet"
          className="px-3!"
          busy={leaving === 'everywhere'}
          onClick={() => leaveBy('everywhere')}
        >
          <MonitorSmartphone aria-hidden className="size-5 shrink-0 max-[26rem]:hidden" />
          {text('profile.logoutEverywhere')}
        </Button>
        {/* The person's id may not be loaded yet; the space is reserved. */}
        <Link
          to={userId ? `/DeleteUser/${userId}` : '/UserProfile'}
          className={classNames(buttonLook('quiet', 'px-3! text-alert!'), !userId && 'invisible')}
        >
          <Trash2 aria-hidden className="size-5 shrink-0 max-[26rem]:hidden" />
          {text('profile.deleteAccount')}
        </Link>
      </div>
    </div>
  );
}
