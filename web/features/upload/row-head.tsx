import { ChevronDown, Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useText } from '#web/text.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { Picked } from './media.ts';
import type { Place } from './several-forms.tsx';
import { useCover } from './use-cover.ts';

interface RowHeadProps {
  place: Place;
  picked: Picked | undefined;
  busy: boolean;
  /** What it opens and closes. */
  controls: string;
}

/** One of several files: which it is; a press shows its words or puts them away. */
export function RowHead({ place, picked, busy, controls }: RowHeadProps) {
  const text = useText();
  const { entry, open, change } = place;
  const cover = useCover(picked?.thumbnail);
  const toggle = useRef<HTMLButtonElement>(null);
  const name = (picked?.file ?? entry.given)?.name ?? '';
  useEffect(() => {
    // Where the one before was put away with the focus in it, the focus goes on to this one.
    const { activeElement } = document;
    if (open && (activeElement === document.body || activeElement?.closest('[hidden]')))
      toggle.current?.focus();
  }, [open]);
  return (
    <div className="flex items-center gap-3">
      <div
        className="aspect-9/16 w-10 shrink-0 rounded-control bg-night bg-cover bg-center"
        style={{ backgroundImage: cover ? `url(${cover})` : undefined }}
      />
      <button
        ref={toggle}
        type="button"
        aria-expanded={open}
        aria-controls={controls}
        onClick={() => change({ type: 'show', id: open ? undefined : entry.id })}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-2 text-start"
      >
        <span className="grid min-w-0 flex-1">
          <span className="truncate font-semibold">{name}</span>
          {!busy && <span className="text-[0.9375rem] text-soft">{text('upload.notYet')}</span>}
        </span>
        <ChevronDown
          aria-hidden
          className={classNames('size-5 shrink-0 transition-transform', open && 'rotate-180')}
        />
      </button>
      {!busy && (
        <IconButton
          label={text('upload.remove', { name })}
          onClick={() => change({ type: 'end', id: entry.id })}
        >
          <Trash2 aria-hidden className="size-5" />
        </IconButton>
      )}
    </div>
  );
}
