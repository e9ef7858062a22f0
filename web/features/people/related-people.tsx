import { Link } from 'react-router';
import { getFollowers, getFollowing } from '#contract/relations.ts';
import { call } from '#web/api.ts';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LinesSkeleton } from '#web/ui/panel-skeleton.tsx';
import { controls } from '../interactions/controls.ts';
import { ListError } from '../lists/list-error.tsx';
import { type ListOptions, useList } from '../lists/use-list.ts';
import { type ListedPerson, listed } from './people-list.ts';

await loadPart('people');

/** The people who follow a person, or whom a person follows. */
export type Relation = 'followers' | 'following';

const calls = { followers: getFollowers, following: getFollowing };

const optionsOf = (userId: string, relation: Relation): ListOptions<ListedPerson> => ({
  queryKey: [relation, userId],
  fetchPage: async (cursor, signal) => {
    const query = cursor ? { cursor } : {};
    const { data, nextCursor } = await call(calls[relation], { params: { userId }, query }, { signal });
    return { items: data.map(listed), nextCursor };
  },
  start: null,
  first: null,
});

interface RelatedPeopleProps {
  userId: string;
  relation: Relation;
  onClose: () => void;
}

/** A dialog with these people, newest first. Each leads to their profile. */
export default function RelatedPeople({ userId, relation, onClose }: RelatedPeopleProps) {
  const text = useText();
  const list = useList(optionsOf(userId, relation));
  return (
    <Dialog open onClose={onClose} title={text(`profile.${relation}`)} closeLabel={text('dialog.close')}>
      {list.isPending && (
        <div role="status" aria-label={text('list.loading')} className="grid gap-4">
          <LinesSkeleton lines={6} />
        </div>
      )}
      {!list.items && list.isError && <ListError title={text('people.failed')} list={list} />}
      {list.items?.length === 0 && <p className="text-soft">{text('people.none')}</p>}
      <ul className="grid gap-2">
        {list.items?.map((person) => (
          <Row key={person._id} person={person} />
        ))}
      </ul>
      {list.nextCursor && (
        <Button className="mt-5" onClick={() => void list.fetchNextPage()} busy={list.isFetchingNextPage}>
          {text(list.isFetchNextPageError ? 'list.retry' : 'list.more')}
        </Button>
      )}
    </Dialog>
  );
}

function Row({ person }: { person: ListedPerson }) {
  const { _id, name, username, profilePic } = person;
  const { FollowButton } = controls;
  return (
    <li className="flex items-center gap-2">
      <Link
        to={`/user/${_id}`}
        state={{ username }}
        className="-ml-2 flex min-w-0 flex-1 items-center gap-3 rounded-panel p-2 hover:bg-sunken"
      >
        <Avatar src={profilePic} name={username} className="size-11" />
        <span className="min-w-0 leading-snug">
          <span className="block truncate font-semibold">{name}</span>
          <span className="block truncate text-soft">@{username}</span>
        </span>
      </Link>
      {FollowButton && <FollowButton person={person} className="shrink-0 px-3!" />}
    </li>
  );
}
