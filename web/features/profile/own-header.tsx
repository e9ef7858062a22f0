import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { T, useText } from '#web/text.tsx';
import { useSite } from '../chrome/use-site.ts';
import type { SessionUser } from '../session/session.ts';
import { ShareButton } from '../share/share-button.tsx';
import { storiesOf } from '../stories/stories.ts';
import { StoryLink } from '../stories/story-link.tsx';
import { OwnActions } from './own-actions.tsx';

/** The own name, figures and actions. The space is reserved before the figures are known. */
export function OwnHeader({ user }: { user: SessionUser }) {
  const text = useText();
  const { mail } = useSite();
  const { data: stories } = useQuery({ ...storiesOf(user._id ?? ''), enabled: user._id !== undefined });
  const counts = [
    ['profile.reels', user.reelCount],
    ['profile.posts', user.postCount],
    ['profile.followers', user.followerCount],
    ['profile.following', user.followingCount],
  ] as const;
  return (
    <header className="grid gap-6 rounded-panel border border-line bg-surface p-5 sm:p-8">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-5 sm:gap-x-8">
        <div className="sm:row-span-2">
          <StoryLink
            userId={user._id ?? ''}
            src={user.profilePic ?? ''}
            name={user.username ?? user.name ?? user.email}
            seen={stories?.length ? false : undefined}
            className="size-20 text-4xl sm:size-32 sm:text-5xl"
          />
        </div>
        <div className="flex items-center gap-2 sm:self-end">
          <div className="min-w-0 flex-auto">
            <h1 className="truncate text-2xl sm:text-4xl">{user.name ?? user.email}</h1>
            <p className="min-h-[1lh] truncate text-soft sm:text-lg">
              {user.username && `@${user.username}`}
            </p>
          </div>
          {user._id && <ShareButton path={`/user/${user._id}`} />}
        </div>
        <dl className="col-span-2 grid max-w-xl grid-cols-2 gap-x-2 gap-y-3 min-[24rem]:grid-cols-4 sm:col-span-1 sm:self-start">
          {counts.map(([label, count]) => (
            <div key={label} className="flex min-w-0 flex-col-reverse justify-end">
              <dt className="text-sm leading-snug text-soft sm:text-[0.9375rem]">{text(label)}</dt>
              <dd className="figures whitespace-nowrap text-lg font-bold leading-tight sm:text-2xl">
                {text('count', { count: count ?? 0 })}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {mail && user.emailVerified === false && (
        <p className="text-soft">
          <T id="profile.notVerified" parts={{ a: <Link to="/VerifyEmail" className="text-link" /> }} />
        </p>
      )}
      <OwnActions userId={user._id} />
    </header>
  );
}
