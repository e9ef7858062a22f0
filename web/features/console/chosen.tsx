import { Check, Minus } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '#web/ui/class-names.ts';

/** Which of these rows are chosen, in their order and up to `most`. A row that leaves the list is not chosen any more. */
export function useChosen(ids: readonly string[], most: number) {
  const [all, setAll] = useState<ReadonlySet<string>>(new Set());
  /** Where a range by Shift begins. */
  const [last, setLast] = useState<string>();
  const chosen = ids.filter((id) => all.has(id));
  const set = (wanted: Iterable<string>) => {
    const wants = new Set(wanted);
    setAll(new Set(ids.filter((id) => wants.has(id)).slice(0, most)));
  };
  return {
    count: chosen.length,
    isAll: chosen.length > 0 && chosen.length === Math.min(ids.length, most),
    has: (id: string) => all.has(id),
    /** Chooses a row or not any more; with `toHere` all rows from the one before. */
    toggle(id: string, toHere: boolean) {
      const [from, to] = [last === undefined ? -1 : ids.indexOf(last), ids.indexOf(id)];
      setLast(id);
      if (toHere && from !== -1) set([...chosen, ...ids.slice(Math.min(from, to), Math.max(from, to) + 1)]);
      else set(all.has(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
    },
    toggleAll: () => set(chosen.length > 0 ? [] : ids),
    clear: () => set([]),
  };
}

interface ChooseBoxProps {
  label: string;
  /** `mixed`: some of all. */
  isChosen: boolean | 'mixed';
  /** `toHere`: with Shift, which chooses all rows from the one before. */
  onToggle: (toHere: boolean) => void;
}

/** A checkbox that is no field: keys of the console act while it has the focus. */
export function ChooseBox({ label, isChosen, onToggle }: ChooseBoxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: fields take the keys of the console
    <button
      type="button"
      role="checkbox"
      aria-checked={isChosen}
      aria-label={label}
      onClick={({ shiftKey }) => onToggle(shiftKey)}
      className="grid size-11 shrink-0 place-items-center"
    >
      <span
        className={classNames(
          'grid size-6 place-items-center rounded border',
          isChosen ? 'border-accent bg-accent text-on-accent' : 'border-line-strong bg-surface',
        )}
      >
        {isChosen === 'mixed' ? (
          <Minus aria-hidden className="size-4" />
        ) : (
          isChosen && <Check aria-hidden className="size-4" />
        )}
      </span>
    </button>
  );
}
