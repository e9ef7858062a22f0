import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { controls } from '../interactions/controls.ts';
import type { ListedPerson } from './people-list.ts';

/** A person in the user list. The link passes the username to the profile (specification §2). */
export function PersonCard({ person }: { person: ListedPerson }) {
  const text = useText();
  const { _id, name, username, profilePic, followerCount, published } = person;
  const { FollowButton } = controls;
  const card = (
    <Link
      to={`/user/${_id}`}
      state={{ username }}
      prefetch="intent"
      className={classNames(
        'flex h-full items-center gap-4 rounded-panel border border-line bg-surface p-4 transition-[border-color] duration-150 hover:border-line-strong',
        FollowButton && 'pr-32',
      )}
    >
      <Avatar src={profilePic} name={username} className="size-16 text-2xl" />
      <span className="min-w-0">
        <span className="block truncate text-lg font-semibold leading-snug">{name}</span>
        <span className="block truncate text-soft">@{username}</span>
        <span className="figures block truncate text-[0.9375rem] text-soft">
          {text('people.counts', { published, followers: followerCount })}
        </span>
      </span>
    </Link>
  );
  if (!FollowButton) return card;
  return (
    <div className="relative h-full">
      {card}
      <FollowButton person={person} className="absolute right-3 top-[calc(50%-1.375rem)] px-3!" />
    </div>
  );
}
