import { Camera } from 'lucide-react';
import { type DragEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { Media, Picked, PreviewProps } from '../media/media.ts';
import { filesFrom, isTextPaste } from './file-input.ts';

interface MediaPickerProps {
  media: Media;
  picked: Picked | undefined;
  onPick: (files: File[]) => void;
  onCover: PreviewProps['onCover'];
  /** Whether several files can be chosen at once. */
  multiple: boolean;
  error: string | undefined;
  disabled: boolean;
  /** Nothing else of the form is shown yet. */
  isAlone: boolean;
  /** A ref to the button that opens the file chooser, to move the focus there. */
  button: RefObject<HTMLButtonElement | null>;
  /** The CSS class that gives the preview its aspect ratio. */
  className?: string;
}

/** Lets a person drop, choose, paste or record a file, and shows it at once. */
export function MediaPicker(props: MediaPickerProps) {
  const {
    media,
    picked,
    onPick,
    onCover,
    multiple,
    error,
    disabled,
    isAlone,
    button,
    className = 'aspect-9/16',
  } = props;
  const text = useText();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const id = useId();
  const Icon = media.icon;

  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const pasted = filesFrom(event.clipboardData, media.typePrefix);
      if (pasted.length > 0 && !disabled && !isTextPaste(event)) onPick(pasted);
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, [onPick, disabled, media]);

  const drag = (entered: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(entered);
  };
  const choose = (from: 'files' | 'camera') => {
    // One input serves both: with `capture`, phones open the camera directly.
    if (from === 'camera') input.current?.setAttribute('capture', 'environment');
    else input.current?.removeAttribute('capture');
    input.current?.click();
  };
  return (
    <div className="grid content-start gap-2">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a convenience; the button inside does the same */}
      <div
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={(event) => {
          drag(false)(event);
          const dropped = filesFrom(event.dataTransfer, media.typePrefix);
          if (dropped.length > 0 && !disabled) onPick(dropped);
        }}
        className={classNames(
          'on-night banner-night relative grid max-h-[34rem] w-full place-items-center overflow-hidden rounded-panel text-night-text',
          // Without a file the area is lower on a phone, so that the fields below are visible.
          isAlone
            ? 'min-h-[min(28rem,48svh)]'
            : picked
              ? // On a phone the caption is in view below it.
                classNames(className, 'max-md:max-h-[36svh]')
              : classNames(className, 'max-md:aspect-auto max-md:min-h-64'),
          over && 'outline-3 outline-offset-2 outline-accent',
          error && 'outline-2 outline-alert',
        )}
      >
        {picked ? <media.Preview picked={picked} onCover={disabled ? undefined : onCover} /> : null}
        <div
          className={classNames(
            'grid justify-items-center gap-4 text-center',
            picked ? 'absolute inset-x-4 bottom-4' : 'px-4 py-6 short:gap-2 short:py-3',
          )}
        >
          {!picked && (
            <>
              <Icon aria-hidden className="size-14 text-marigold short:size-8" />
              <p className="text-balance">
                <span className="pointer-coarse:hidden">{text(media.words.drop)}</span>
                <span className="hidden pointer-coarse:inline">{text(media.words.dropTouch)}</span>
              </p>
            </>
          )}
          <div className="flex flex-wrap justify-center gap-2">
            <Button
              ref={button}
              kind={picked ? 'secondary' : 'primary'}
              disabled={disabled}
              aria-describedby={`${id}-limits ${id}-error`}
              onClick={() => choose('files')}
            >
              {text(picked ? 'upload.another' : media.words.pick)}
            </Button>
            <span className="hidden pointer-coarse:block">
              <Button disabled={disabled} onClick={() => choose('camera')}>
                <Camera aria-hidden className="size-5" />
                {text(media.words.camera)}
              </Button>
            </span>
          </div>
        </div>
        <input
          ref={input}
          type="file"
          accept={media.accept}
          multiple={multiple}
          aria-label={text(media.words.label)}
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            const chosen = [...(event.target.files ?? [])];
            if (chosen.length > 0) onPick(chosen);
            event.target.value = '';
          }}
        />
      </div>
      <p id={`${id}-limits`} className="text-[0.9375rem] text-soft">
        {text(media.words.limits, media.limits)}
      </p>
      <p id={`${id}-error`} role="alert" className={error ? 'font-medium text-alert' : 'sr-only'}>
        {error}
      </p>
    </div>
  );
}
