import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { StoryPerson } from '#contract/stories.ts';
import { useText } from '#web/text.tsx';
import { useSession } from '../session/use-session.ts';
import { returnFocus } from './return-focus.ts';
import { RingedAvatar } from './ringed-avatar.tsx';
import { inOrder, isSeen, peopleWithStories, type StoryState, storyRow } from './seen.ts';

const rowLook = '-my-2 h-[6.25rem] min-w-0 sm:my-0 sm:h-[6.75rem]';
const itemLook = 'grid w-[4.5rem] justify-items-center gap-1 rounded-control text-sm sm:w-20';

/** The stories above the feed. `first` is what the server has rendered: the same for everybody. */
export function StoryRow({ first }: { first: StoryPerson[] | null }) {
  const text = useText();
  const { user } = useSession();
  const { data, isLoading } = useQuery({
    ...peopleWithStories,
    ...(first ? { placeholderData: first } : {}),
  });
  const { data: row } = useQuery(storyRow);
  const people = inOrder(data ?? [], row, user?._id);
  // Its place is kept, so that nothing moves when it is there.
  if (isLoading) return <div className={rowLook} />;
  if (people.length === 0) return null;
  const state: StoryState = { people: people.map(({ userId }) => userId) };
  return (
    <section aria-label={text('profile.stories')} className={rowLook}>
      <ul className="flex gap-2 overflow-x-auto p-1">
        {people.map((person) => {
          const { userId, username, profilePic } = person;
          const seen = isSeen(row, person);
          return (
            <li key={userId} className="shrink-0">
              <Link
                ref={returnFocus(userId)}
                to={`/story/${userId}`}
                state={state}
                aria-label={text(seen ? 'stories.seenOf' : 'stories.newOf', { username })}
                className={itemLook}
              >
                <RingedAvatar
                  src={profilePic}
                  name={username}
                  seen={seen}
                  className="size-14 text-2xl sm:size-16"
                />
                <span className="max-w-full truncate">{username}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
