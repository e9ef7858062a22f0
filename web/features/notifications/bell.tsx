import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { useText } from '#web/text.tsx';
import { unreadOptions } from './unread.ts';

const minute = 60_000;

interface BellProps {
  userId: string;
  className: string;
  /** A caption below the bell. */
  children?: ReactNode;
}

/** A link to /Activity with the number of unread notifications: '99+' above 99 (specification §2 Header). */
export function Bell({ userId, className, children }: BellProps) {
  const text = useText();
  const { data: unread = 0 } = useQuery({
    ...unreadOptions(userId),
    staleTime: minute / 2,
    // A hidden page does not poll; it does so as soon as it is visible again.
    refetchInterval: minute,
    refetchOnWindowFocus: true,
  });
  const label = unread > 0 ? text('nav.activityUnread', { unread }) : text('nav.activity');
  return (
    <NavLink to="/Activity" aria-label={label} title={label} className={className}>
      <span className="relative">
        <BellIcon aria-hidden className={children ? 'size-6' : 'size-5'} />
        {unread > 0 && (
          <span
            aria-hidden
            className="figures absolute -right-2.5 -top-1.5 w-max min-w-5 rounded-full bg-alert px-1 pt-0.5 text-center text-[0.75rem] font-bold leading-[1.125rem] text-ground"
          >
            {unread > 99 ? '99+' : text('count', { count: unread })}
          </span>
        )}
      </span>
      {children}
    </NavLink>
  );
}
