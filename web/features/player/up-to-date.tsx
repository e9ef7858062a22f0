import { Check } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';

await loadPart('playlist');

/** Shown after the last new reel, over the first one that was seen before, whose controls are not there until somebody goes on. */
export default function UpToDate({ onGoOn }: { onGoOn: () => void }) {
  const text = useText();
  const about = useId();
  const goOn = useRef<HTMLButtonElement>(null);
  const cameFrom = useRef<Element>(null);

  // Before the page is drawn, the control that is hidden from now on still has the focus.
  useLayoutEffect(() => {
    cameFrom.current = document.activeElement;
    goOn.current?.focus();
  }, []);
  // It can have the focus again once it is drawn.
  useEffect(
    () => () => {
      if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    },
    [],
  );

  return (
    <div className="player-up-to-date">
      <span className="player-up-to-date-mark">
        <Check aria-hidden className="size-10" />
      </span>
      <div id={about} className="grid gap-2">
        <p className="text-2xl font-bold">{text('upToDate.title')}</p>
        <p className="text-night-soft">{text('upToDate.text')}</p>
      </div>
      <button ref={goOn} type="button" onClick={onGoOn} aria-describedby={about} className="player-pill mt-3">
        {text('upToDate.again')}
      </button>
    </div>
  );
}
