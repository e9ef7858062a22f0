import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { userData } from '../../../contract/accounts.ts';
import { call } from '../../api.ts';
import { useText } from '../../text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, buttonLook } from '../../ui/button.tsx';
import { currentToken, type SessionUser, updateSessionUser } from '../session/session.ts';
import { leaveSession } from '../session/use-session.ts';

/** Who one is, in numbers, and what one can do. What is known is shown at once and refreshed from the server. */
export function OwnHeader({ user }: { user: SessionUser }) {
  const text = useText();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  const fresh = useQuery({
    queryKey: ['self', user._id],
    // One's own numbers are asked for whenever one comes to look.
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await call(userData, { body: { token: currentToken() ?? '' } }, { signal })).data.data,
  });
  useEffect(() => {
    if (fresh.data) updateSessionUser(fresh.data);
  }, [fresh.data]);

  const counts = [
    ['profile.reels', user.reelCount],
    ['profile.posts', user.postCount],
    ['profile.followers', user.followerCount],
    ['profile.following', user.followingCount],
  ] as const;
  return (
    <header className="grid gap-6 rounded-panel border border-line bg-surface p-6 sm:grid-cols-[auto_1fr] sm:items-center sm:p-8">
      <Avatar src={user.profilePic} name={user.name ?? user.email} className="size-24 text-4xl sm:size-28" />
      <div className="grid min-w-0 gap-4">
        <div>
          <h1 className="truncate text-3xl">{user.name ?? user.email}</h1>
          {user.username && <p className="truncate text-soft">@{user.username}</p>}
        </div>
        <dl className="flex flex-wrap gap-x-5 gap-y-3 sm:gap-x-8">
          {counts.map(([label, count]) => (
            <div key={label} className="flex flex-col-reverse">
              <dt className="text-[0.9375rem] text-soft">{text(label)}</dt>
              <dd className="figures text-2xl font-bold leading-tight">
                {text('count', { count: count ?? 0 })}
              </dd>
            </div>
          ))}
        </dl>
        <div className="flex flex-wrap gap-3">
          <Link to="/ReelPost" className={buttonLook('primary')}>
            {text('profile.uploadReel')}
          </Link>
          <Button
            busy={leaving}
            onClick={async () => {
              setLeaving(true);
              await leaveSession();
              await navigate('/LoginGoogle');
            }}
          >
            {text('profile.logout')}
          </Button>
        </div>
      </div>
    </header>
  );
}
