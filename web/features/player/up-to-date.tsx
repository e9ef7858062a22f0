import { Check } from 'lucide-react';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';

await loadPart('playlist');

/** Shown after the last new reel, over the first one that was seen before. */
export default function UpToDate({ onGoOn }: { onGoOn: () => void }) {
  const text = useText();
  return (
    <div role="status" className="player-up-to-date">
      <span className="player-up-to-date-mark">
        <Check aria-hidden className="size-10" />
      </span>
      <p className="text-2xl font-bold">{text('upToDate.title')}</p>
      <p className="text-night-soft">{text('upToDate.text')}</p>
      <button type="button" onClick={onGoOn} className="player-pill mt-3">
        {text('upToDate.again')}
      </button>
    </div>
  );
}
