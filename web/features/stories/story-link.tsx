import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { returnFocus } from './return-focus.ts';
import { RingedAvatar } from './ringed-avatar.tsx';

interface StoryLinkProps {
  userId: string;
  src: string;
  name: string;
  /** Whether the person has running stories, and all of them were seen; undefined if there are none. */
  seen: boolean | undefined;
  className: string;
}

/** A person's picture; if they have stories, in a ring, as the link to them. */
export function StoryLink({ userId, src, name, seen, className }: StoryLinkProps) {
  const text = useText();
  const picture = <RingedAvatar src={src} name={name} seen={seen} className={className} />;
  if (seen === undefined) return picture;
  return (
    <Link
      ref={returnFocus(userId)}
      to={`/story/${userId}`}
      aria-label={text(seen ? 'stories.seenOf' : 'stories.newOf', { username: name })}
      className="w-fit shrink-0 rounded-full"
    >
      {picture}
    </Link>
  );
}
