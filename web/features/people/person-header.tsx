import type { Person } from '#contract/people.ts';
import { useText } from '#web/text.tsx';
import { Avatar } from '#web/ui/avatar.tsx';

/** The name and figures of a person; posts are reels and posts together (specification §2, /user/{id}). */
export function PersonHeader({ person }: { person: Person }) {
  const text = useText();
  const counts = [
    ['profile.posts', person.reelCount + person.postCount],
    ['profile.followers', person.followerCount],
    ['profile.following', person.followingCount],
  ] as const;
  return (
    <header className="grid justify-items-center gap-4 py-4 text-center sm:grid-cols-[auto_1fr] sm:justify-items-start sm:gap-x-8 sm:py-8 sm:text-left">
      <Avatar
        src={person.profilePic}
        name={person.username}
        className="size-28 text-5xl sm:row-span-2 sm:size-36"
      />
      <div className="min-w-0 max-w-full self-end">
        <h1 className="text-3xl sm:text-4xl">{person.name}</h1>
        <p className="text-soft sm:text-lg">@{person.username}</p>
      </div>
      <dl className="flex flex-wrap justify-center gap-x-8 gap-y-3 self-start">
        {counts.map(([label, count]) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-[0.9375rem] text-soft">{text(label)}</dt>
            <dd className="figures text-2xl font-bold leading-tight">{text('count', { count })}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}
