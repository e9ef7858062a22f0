import { useNavigate } from 'react-router';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import type { Controls } from '../interactions/controls.ts';
import { useSession } from '../session/use-session.ts';
import { toggleFollow } from './responses.ts';
import { useOwn } from './use-own.ts';

/** Follows a person, or no longer (INTERACTIONS=web). Nobody follows themselves. */
export const FollowButton: Controls['FollowButton'] = ({ person, className }) => {
  const text = useText();
  const navigate = useNavigate();
  const { user } = useSession();
  const { _id, username } = person;
  const own = useOwn('person', _id);
  if (user?._id === _id) return null;
  const follows = own?.following === true;
  return (
    <Button
      kind={follows ? 'secondary' : 'primary'}
      aria-pressed={follows}
      aria-label={text('onsite.followThis', { username })}
      onClick={() => toggleFollow(person, navigate)}
      className={className ?? ''}
    >
      {text(follows ? 'onsite.following' : 'onsite.follow')}
    </Button>
  );
};
