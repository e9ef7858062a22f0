import { useText } from '#web/text.tsx';
import { PersonWords } from './person-words.tsx';
import './folded-words.css';

interface FoldedWordsProps {
  words: string;
  className?: string;
}

/** More letters than about six lines of a phone. */
const long = 280;
const lines = 6;

/** What a person wrote in a paragraph; a long one shows its beginning, and all of it after a click, also without a script. */
export function FoldedWords({ words, className }: FoldedWordsProps) {
  const text = useText();
  const isLong = words.length > long || words.split('\n').length > lines;
  const paragraph = (
    <p className={className}>
      <PersonWords words={words} className="whitespace-pre-line" />
    </p>
  );
  if (!isLong) return paragraph;
  return (
    <div className="fold">
      {paragraph}
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold underline underline-offset-4">
          <span className="fold-more">{text('words.more')}</span>
          <span className="fold-less">{text('words.less')}</span>
        </summary>
      </details>
    </div>
  );
}
