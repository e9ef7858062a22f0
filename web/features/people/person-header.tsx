import { useQuery } from '@tanstack/react-query';
import type { Person } from '#contract/people.ts';
import { useText } from '#web/text.tsx';
import { controls } from '../interactions/controls.ts';
import { useOwn } from '../interactions/use-interactions.ts';
import { ReportButton } from '../reports/report-button.tsx';
import { ShareButton } from '../share/share-button.tsx';
import { isSeen, storyRow } from '../stories/seen.ts';
import { StoryLink } from '../stories/story-link.tsx';

/** The name and figures of a person; posts are reels and posts together (specification §2, /user/{id}). `story` is the newest running one. */
export function PersonHeader({ person, story }: { person: Person; story: string | null }) {
  const text = useText();
  const { data: row } = useQuery(storyRow);
  const { PersonActions } = controls;
  const own = useOwn('person', person._id);
  const counts = [
    ['profile.posts', person.reelCount + person.postCount],
    ['profile.followers', own?.followerCount ?? person.followerCount],
    ['profile.following', person.followingCount],
  ] as const;
  return (
    <header className="grid justify-items-center gap-4 py-4 text-center sm:grid-cols-[auto_1fr] sm:justify-items-start sm:gap-x-8 sm:py-8 sm:text-left">
      <div className="sm:row-span-2">
        <StoryLink
          userId={person._id}
          src={person.profilePic}
          name={person.username}
          seen={story === null ? undefined : isSeen(row, { userId: person._id, storyId: story })}
          className="size-28 text-5xl sm:size-36"
        />
      </div>
      <div className="min-w-0 max-w-full self-end">
        <h1 className="text-3xl sm:text-4xl">{person.name}</h1>
        <p className="text-soft sm:text-lg">@{person.username}</p>
      </div>
      <div className="flex flex-wrap items-center justify-center gap-x-8 gap-y-3 self-start">
        <dl className="flex flex-wrap justify-center gap-x-8 gap-y-3">
          {counts.map(([label, count]) => (
            <div key={label} className="flex flex-col-reverse">
              <dt className="text-[0.9375rem] text-soft">{text(label)}</dt>
              <dd className="figures text-2xl font-bold leading-tight">{text('count', { count })}</dd>
            </div>
          ))}
        </dl>
        <div className="flex">
          {PersonActions && <PersonActions person={person} />}
          <ShareButton path={`/user/${person._id}`} />
          <ReportButton kind="person" id={person._id} ownerId={person._id} />
        </div>
      </div>
    </header>
  );
}
