import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getAllUsers } from '#contract/people.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { useCategoryName } from '../categories/use-category-name.ts';
import { useSession } from '../session/use-session.ts';
import { categoryTags, tagsOf } from './tags.ts';
import type { StartedWord } from './word-at.ts';

const atMost = 6;

interface SuggestionsProps {
  word: StartedWord;
  /** Called with the whole word, with its mark. */
  onChoose: (word: string) => void;
}

/** Ends of the tag or mention that somebody is writing: own former tags, categories, and people. */
export default function Suggestions({ word, onChoose }: SuggestionsProps) {
  return word.mark === '#' ? (
    <Tags text={word.text} onChoose={onChoose} />
  ) : (
    <People text={word.text} onChoose={onChoose} />
  );
}

interface OfKind {
  text: string;
  onChoose: (word: string) => void;
}

function Tags({ text, onChoose }: OfKind) {
  const { user } = useSession();
  const nameOf = useCategoryName();
  const userId = user?._id ?? '';
  const own = useQuery({ ...tagsOf(userId), enabled: userId !== '' });
  const begun = text.toLocaleLowerCase();
  const tags = [...new Set([...(own.data ?? []), ...categoryTags(nameOf)])]
    .filter((tag) => tag.startsWith(begun) && tag !== begun)
    .slice(0, atMost);
  return <Choices words={tags.map((tag) => ({ word: `#${tag}` }))} onChoose={onChoose} />;
}

function People({ text, onChoose }: OfKind) {
  const people = useQuery({
    queryKey: ['people', 'mentioned', text],
    queryFn: ({ signal }) => call(getAllUsers, { query: { q: text, limit: atMost } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const words = (people.data?.data ?? []).map(({ username, profilePic }) => ({
    word: `@${username}`,
    picture: profilePic,
  }));
  return <Choices words={words} onChoose={onChoose} />;
}

interface ChoicesProps {
  words: { word: string; picture?: string }[];
  onChoose: (word: string) => void;
}

function Choices({ words, onChoose }: ChoicesProps) {
  const text = useText();
  if (words.length === 0) return null;
  return (
    <ul aria-label={text('upload.suggestions')} className="flex gap-2 overflow-x-auto p-0.5">
      {words.map(({ word, picture }) => (
        <li key={word} className="shrink-0">
          <button
            type="button"
            onClick={() => onChoose(word)}
            className="inline-flex min-h-11 items-center gap-2 rounded-full border border-line-strong bg-surface px-4 font-medium hover:border-text"
          >
            {picture !== undefined && <Avatar src={picture} name={word.slice(1)} className="-ml-2 size-7" />}
            <span className="pt-0.5">{word}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
