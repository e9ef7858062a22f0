import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import { fetchedPart } from '../offline/fetched-part.tsx';
import { type StartedWord, wordAt } from './word-at.ts';

const Suggestions = fetchedPart(() => import('./suggestions.tsx'));

/** Adds suggestions to the text fields in it, for the tag or the mention that is being written. */
export function Suggested({ children }: { children: ReactNode }) {
  const field = useRef<HTMLTextAreaElement | HTMLInputElement>(null);
  const [word, setWord] = useState<StartedWord>();

  function follow({ target }: SyntheticEvent) {
    if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return;
    field.current = target;
    setWord(wordAt(target.value, target.selectionEnd ?? 0));
  }

  function choose(chosen: string) {
    const area = field.current;
    if (!area || !word) return;
    const written = `${chosen} `;
    const to = word.from + 1 + word.text.length;
    if (area.value.length - (to - word.from) + written.length > area.maxLength) return;
    area.setRangeText(written, word.from, to, 'end');
    // The form learns of it as if it had been typed.
    area.dispatchEvent(new Event('input', { bubbles: true }));
    area.focus();
  }

  return (
    <div className="grid gap-2" onInput={follow} onSelect={follow}>
      {children}
      {word && <Suggestions word={word} onChoose={choose} />}
    </div>
  );
}
