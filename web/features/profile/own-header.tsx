import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { T } from '#web/text.tsx';
import { useSite } from '../chrome/use-site.ts';
import { ProfileHeader } from '../people/profile-header.tsx';
import type { SessionUser } from '../session/session.ts';
import { storiesOf } from '../stories/stories.ts';
import { OwnActions, OwnPlaces } from './own-actions.tsx';

/** The own name, figures and actions. The space is reserved before the figures are known. */
export function OwnHeader({ user }: { user: SessionUser }) {
  const { mail } = useSite();
  const { data: stories } = useQuery({ ...storiesOf(user._id ?? ''), enabled: user._id !== undefined });
  return (
    <ProfileHeader
      userId={user._id ?? ''}
      name={user.name ?? user.email}
      username={user.username}
      profilePic={user.profilePic ?? ''}
      seen={stories?.length ? false : undefined}
      counts={[
        ['profile.reels', user.reelCount ?? 0],
        ['profile.posts', user.postCount ?? 0],
        ['profile.followers', user.followerCount ?? 0],
        ['profile.following', user.followingCount ?? 0],
      ]}
      actions={<OwnActions userId={user._id} />}
    >
      {mail && user.emailVerified === false && (
        <p className="text-soft">
          <T id="profile.notVerified" parts={{ a: <Link to="/VerifyEmail" className="text-link" /> }} />
        </p>
      )}
      <OwnPlaces userId={user._id} />
    </ProfileHeader>
  );
}
