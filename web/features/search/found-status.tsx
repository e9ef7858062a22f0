import { useEffect, useState } from 'react';
import { useText } from '#web/text.tsx';

/** Milliseconds without another result; while somebody types, results come and go. */
const rest = 1000;

interface FoundStatusProps {
  q: string;
  /** Undefined until it is known. */
  count: number | undefined;
  /** There are further pages. */
  more: boolean;
  /** What was probably meant, if nothing was found with the words themselves. */
  suggestion?: string | null | undefined;
}

/** Tells a screen reader what was found, once the typing rests. */
export function FoundStatus({ q, count, more, suggestion }: FoundStatusProps) {
  const text = useText();
  const words =
    count === undefined
      ? ''
      : count === 0
        ? text('search.noneExactly', { q })
        : suggestion
          ? `${text('search.noneExactly', { q })} ${text('search.didYouMean', { suggestion })}`
          : text('search.found', { q, count, more: more ? 'yes' : 'no' });
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(words), rest);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
