import { Link } from 'react-router';
import { languageOf } from './language-of.ts';
import { partsOf } from './parts-of.ts';

interface PersonWordsProps {
  words: string;
  /** What follows them, and can be folded. */
  rest?: string;
  className?: string;
}

/**
 * What a person wrote, such as a caption or a comment: links and mentions lead somewhere, and a screen reader learns its language.
 * Not within a link.
 */
export function PersonWords({ words, rest = '', className }: PersonWordsProps) {
  return (
    <span dir="auto" lang={languageOf(words + rest)} className={className}>
      {linked(words)}
      {rest && <span className="fold-rest">{linked(rest)}</span>}
    </span>
  );
}

const linked = (words: string) =>
  partsOf(words).map((part, place) => {
    if (part.to === undefined) return part.text;
    const look = 'underline decoration-1 underline-offset-4';
    return part.kind === 'link' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
      <a key={place} href={part.to} target="_blank" rel="noopener nofollow ugc" className={look}>
        {part.text}
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
      <Link key={place} to={part.to} className={look}>
        {part.text}
      </Link>
    );
  });
