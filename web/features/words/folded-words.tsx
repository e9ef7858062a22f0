import { useText } from '#web/text.tsx';
import { PersonWords } from './person-words.tsx';
import './folded-words.css';

interface FoldedWordsProps {
  words: string;
  className?: string;
}

/** More letters than about six lines of a phone. */
const long = 280;
/** So many of them are shown, to the end of a word, so that no link is cut. */
const beginning = /^(?:.{0,240}(?=\s)|\S+)/s;
const sixLines = /^(?:[^\n]*\n){5}[^\n]*/;

/** The text itself decides, so that the server knows it too, and there is always something to show. */
function beginningOf(words: string): string {
  const lines = sixLines.exec(words)?.[0] ?? words;
  return lines.length > long ? (beginning.exec(lines)?.[0] ?? lines) : lines;
}

/** What a person wrote in a paragraph; a long one shows its beginning, and all of it after a click, also without a script. */
export function FoldedWords({ words, className }: FoldedWordsProps) {
  const text = useText();
  const shown = beginningOf(words);
  const rest = words.slice(shown.length);
  const paragraph = (
    <p className={className}>
      <PersonWords words={shown} rest={rest} className="whitespace-pre-line" />
    </p>
  );
  if (rest.trim() === '') return paragraph;
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
