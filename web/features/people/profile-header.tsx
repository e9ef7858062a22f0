import { type ReactNode, useId, useState } from 'react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { fetchedPart } from '../offline/fetched-part.tsx';
import { StoryLink } from '../stories/story-link.tsx';
import type { Relation } from './related-people.tsx';

const RelatedPeople = fetchedPart(() => import('./related-people.tsx'));

/** The figures that open a list of people. */
const relations: Partial<Record<MessageId, Relation>> = {
  'profile.followers': 'followers',
  'profile.following': 'following',
};

interface ProfileHeaderProps {
  userId: string;
  name: string;
  /** Undefined while it is not known. */
  username: string | undefined;
  profilePic: string;
  /** Whether all running stories were seen; undefined if there are none. */
  seen: boolean | undefined;
  counts: readonly (readonly [MessageId, number])[];
  /** What can be done, as buttons below the name. */
  actions: ReactNode;
  children?: ReactNode;
}

/** The head of every profile, one's own and those of others: picture with the ring of stories, name, figures and actions. */
export function ProfileHeader(props: ProfileHeaderProps) {
  const { userId, name, username, profilePic, seen, counts, actions, children } = props;
  const text = useText();
  const id = useId();
  /** The list that is open, and whose it is: a link in it leads to another profile. */
  const [opened, open] = useState<{ relation: Relation; of: string }>();
  return (
    <header className="grid gap-4 py-4 sm:gap-6 sm:py-8 short:py-3">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-4 sm:gap-x-8">
        <div className="sm:row-span-2">
          <StoryLink
            userId={userId}
            src={profilePic}
            name={username ?? name}
            seen={seen}
            className="size-22 text-4xl sm:size-36 sm:text-5xl short:size-24"
          />
        </div>
        <div className="grid gap-x-6 gap-y-2 sm:grid-cols-[minmax(0,auto)_auto] sm:justify-start sm:self-end">
          <div className="min-w-0">
            <h1 className="line-clamp-2 text-2xl leading-tight wrap-break-word sm:text-4xl">{name}</h1>
            <p className="min-h-[1lh] truncate text-soft sm:text-lg">{username && `@${username}`}</p>
          </div>
          <div className="flex flex-wrap items-center gap-1 self-center">{actions}</div>
        </div>
        <dl className="col-span-2 grid auto-cols-fr grid-flow-col gap-x-2 text-center sm:col-span-1 sm:w-fit sm:gap-x-8 sm:self-start sm:text-left">
          {counts.map(([label, count]) => {
            const relation = count > 0 ? relations[label] : undefined;
            return (
              <div key={label} className="relative flex min-w-0 flex-col-reverse justify-end">
                <dt id={`${id}${label}`} className="text-sm leading-snug text-soft sm:text-[0.9375rem]">
                  {text(label)}
                </dt>
                <dd className="figures whitespace-nowrap text-lg font-bold leading-tight sm:text-2xl">
                  {relation ? (
                    // As large as figure and word together.
                    <button
                      type="button"
                      id={`${id}${relation}`}
                      aria-labelledby={`${id}${relation} ${id}${label}`}
                      onClick={() => open({ relation, of: userId })}
                      className="after:absolute after:-inset-1 after:rounded-control hover:underline"
                    >
                      {text('count', { count })}
                    </button>
                  ) : (
                    text('count', { count })
                  )}
                </dd>
              </div>
            );
          })}
        </dl>
      </div>
      {opened?.of === userId && (
        <RelatedPeople userId={userId} relation={opened.relation} onClose={() => open(undefined)} />
      )}
      {children}
    </header>
  );
}
