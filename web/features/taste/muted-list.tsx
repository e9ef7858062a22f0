import { type FormEvent, useRef, useState } from 'react';
import { tasteLimits } from '#contract/taste.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Block } from './block.tsx';
import { changeMutes, isWord, muteWord, unmutePerson, unmuteWord, useMutes } from './mutes.ts';

/** The people, words and reels that this device leaves out of For you. */
export function MutedList() {
  const text = useText();
  const { reels, people, words } = useMutes();
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);

  function add(event: FormEvent) {
    event.preventDefault();
    const word = field.current?.value.trim() ?? '';
    setProblem(isWord(word) ? undefined : text('taste.wordMissing'));
    if (isWord(word)) muteWord(word);
    if (field.current) {
      if (isWord(word)) field.current.value = '';
      field.current.focus();
    }
  }

  const muted = [
    ...people.map(({ _id, username }) => ({ name: `@${username}`, remove: () => unmutePerson(_id) })),
    ...words.map((word) => ({ name: `“${word}”`, remove: () => unmuteWord(word) })),
  ];
  return (
    <Block title={text('taste.muted')}>
      <p className="text-soft">{text('taste.mutedText')}</p>
      {muted.length === 0 ? (
        <p>{text('taste.mutedNobody')}</p>
      ) : (
        <ul className="divide-y divide-line">
          {muted.map(({ name, remove }) => (
            <li key={name} className="flex items-center justify-between gap-4 py-1">
              <span className="min-w-0 wrap-anywhere">{name}</span>
              <Button
                kind="quiet"
                className="shrink-0"
                aria-label={text('taste.removeThis', { what: name })}
                onClick={remove}
              >
                {text('taste.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {reels.length > 0 && (
        <div className="flex items-center justify-between gap-4">
          <p className="figures">{text('taste.mutedReels', { count: reels.length })}</p>
          <Button kind="quiet" className="shrink-0" onClick={() => changeMutes(() => ({ reels: [] }))}>
            {text('taste.showAgain')}
          </Button>
        </div>
      )}
      <form onSubmit={add} noValidate className="grid gap-3">
        <TextField
          ref={field}
          label={text('taste.word')}
          hint={text('taste.wordHint')}
          maxLength={tasteLimits.mutedWord}
          autoComplete="off"
          error={problem}
        />
        <Button type="submit" className="justify-self-start">
          {text('taste.addWord')}
        </Button>
      </form>
    </Block>
  );
}
