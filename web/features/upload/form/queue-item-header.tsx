import { ChevronDown, Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useText } from '#web/text.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { Picked } from '../media/media.ts';
import { useCover } from '../media/use-cover.ts';
import type { QueueSlot } from './upload-queue-forms.tsx';

interface QueueItemHeaderProps {
  slot: QueueSlot;
  picked: Picked | undefined;
  busy: boolean;
  /** The id of the element that the button opens and closes. */
  controls: string;
}

/** Names one file of the queue; a click opens or closes its form. */
export function QueueItemHeader({ slot, picked, busy, controls }: QueueItemHeaderProps) {
  const text = useText();
  const { item, isOpen, dispatch } = slot;
  const cover = useCover(picked?.thumbnail);
  const toggle = useRef<HTMLButtonElement>(null);
  const name = (picked?.file ?? item.initialFile)?.name ?? '';
  useEffect(() => {
    // The form that was open has closed with the focus inside it, so the focus moves here.
    const { activeElement } = document;
    if (isOpen && (activeElement === document.body || activeElement?.closest('[hidden]')))
      toggle.current?.focus();
  }, [isOpen]);
  return (
    <div className="flex items-center gap-3">
      <div
        className="aspect-9/16 w-10 shrink-0 rounded-control bg-night bg-cover bg-center"
        style={{ backgroundImage: cover ? `url(${cover})` : undefined }}
      />
      <button
        ref={toggle}
        type="button"
        aria-expanded={isOpen}
        aria-controls={controls}
        onClick={() => dispatch({ type: 'open', id: isOpen ? undefined : item.id })}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-2 text-start"
      >
        <span className="grid min-w-0 flex-1">
          <span className="truncate font-semibold">{name}</span>
          {!busy && <span className="text-[0.9375rem] text-soft">{text('upload.notYet')}</span>}
        </span>
        <ChevronDown
          aria-hidden
          className={classNames('size-5 shrink-0 transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      {!busy && (
        <IconButton
          label={text('upload.remove', { name })}
          onClick={() => dispatch({ type: 'remove', id: item.id })}
        >
          <Trash2 aria-hidden className="size-5" />
        </IconButton>
      )}
    </div>
  );
}
