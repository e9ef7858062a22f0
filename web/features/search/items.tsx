import { Link } from 'react-router';
import type { Tag } from '#contract/search.ts';
import { useText } from '#web/text.tsx';
import type { ListedPerson } from '../people/people-list.ts';
import { PersonCard } from '../people/person-card.tsx';

export function PeopleCards({ people }: { people: ListedPerson[] }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4">
      {people.map((person) => (
        <li key={person._id}>
          <PersonCard person={person} />
        </li>
      ))}
    </ul>
  );
}

/** On a phone, also on its side, chips are one line that moves sideways, so that what follows them is seen too. */
export const chipsLook =
  '*:shrink-0 -mx-3 -my-1.5 flex gap-2 overflow-x-auto px-3 py-1.5 sm:mx-0 sm:[@media(height>=30rem)]:flex-wrap sm:px-0';
export const chipLook =
  'flex min-h-11 whitespace-nowrap items-center gap-2 rounded-full border border-line bg-surface px-4 hover:border-line-strong';

export function TagChips({ tags }: { tags: Tag[] }) {
  const text = useText();
  return (
    <ul className={chipsLook}>
      {tags.map(({ tag, label, works }) => (
        <li key={tag}>
          <Link to={`/tag/${encodeURIComponent(label)}`} className={chipLook}>
            <span className="font-semibold">#{label}</span>
            <span className="figures text-soft">{text('search.works', { works })}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
