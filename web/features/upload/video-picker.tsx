import { Clapperboard } from 'lucide-react';
import { type DragEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { limits } from '../../../contract/limits.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Preview } from './preview.tsx';
import type { Picked } from './use-pick.ts';

interface VideoPickerProps {
  picked: Picked | undefined;
  onPick: (file: File) => void;
  error: string | undefined;
  disabled: boolean;
  /** The button that opens the chooser, to lead a person back to it. */
  button: RefObject<HTMLButtonElement | null>;
}

/** Drop, pick or paste a video, and see it at once. */
export function VideoPicker({ picked, onPick, error, disabled, button }: VideoPickerProps) {
  const text = useText();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const id = useId();

  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const pasted = event.clipboardData?.files[0];
      if (pasted && !disabled) onPick(pasted);
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, [onPick, disabled]);

  const drag = (entered: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(entered);
  };
  return (
    <div className="grid content-start gap-2">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a convenience; the button inside does the same */}
      <div
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={(event) => {
          drag(false)(event);
          const dropped = event.dataTransfer.files[0];
          if (dropped && !disabled) onPick(dropped);
        }}
        className={classNames(
          'on-night lit-night relative grid aspect-9/16 max-h-[34rem] w-full place-items-center overflow-hidden rounded-panel text-night-text',
          over && 'outline-3 outline-offset-2 outline-accent',
          error && 'outline-2 outline-alert',
        )}
      >
        {picked ? (
          <Preview picked={picked} />
        ) : (
          <Clapperboard aria-hidden className="size-14 text-marigold" />
        )}
        <div
          className={classNames(
            'absolute inset-x-4 grid justify-items-center gap-3 text-center',
            picked ? 'bottom-4' : 'bottom-8',
          )}
        >
          {!picked && (
            <p className="text-balance rounded-control bg-night/85 px-3 py-2 text-night-text">
              {text('upload.drop')}
            </p>
          )}
          <Button
            ref={button}
            kind={picked ? 'secondary' : 'primary'}
            disabled={disabled}
            aria-describedby={`${id}-limits ${id}-error`}
            onClick={() => input.current?.click()}
          >
            {text(picked ? 'upload.another' : 'upload.pick')}
          </Button>
        </div>
        <input
          ref={input}
          type="file"
          accept={limits.video.accept.join(',')}
          aria-label={text('upload.video')}
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            const [picked] = event.target.files ?? [];
            if (picked) onPick(picked);
            event.target.value = '';
          }}
        />
      </div>
      <p id={`${id}-limits`} className="text-[0.9375rem] text-soft">
        {text('upload.limits', {
          megabytes: limits.video.maxBytes / 1024 / 1024,
          minutes: limits.video.maxSeconds / 60,
        })}
      </p>
      <p id={`${id}-error`} role="alert" className={error ? 'font-medium text-alert' : 'sr-only'}>
        {error}
      </p>
    </div>
  );
}
