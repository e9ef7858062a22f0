import { type Dispatch, type Ref, type SetStateAction, useId, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { describing, FieldFrame } from '#web/ui/field.tsx';
import { useSite } from '../chrome/use-site.ts';
import { languageName } from './language-name.ts';
import { offeredLanguages } from './offered-languages.ts';

/** A captions file and its language. */
export interface PickedCaptions {
  file: File;
  language: string;
}

interface CaptionsPickerProps {
  picked: PickedCaptions | undefined;
  onPick: Dispatch<SetStateAction<PickedCaptions | undefined>>;
  /** Why it could not be sent. */
  refused?: string | undefined;
  /** The button that opens the file dialog. */
  button?: Ref<HTMLButtonElement>;
  disabled?: boolean;
  /** Text beside the label. */
  optional?: string;
}

/** Fields for a WebVTT file and its language. The file is checked before the upload. */
export function CaptionsPicker(props: CaptionsPickerProps) {
  const { picked, onPick, refused, button, disabled = false, optional } = props;
  const text = useText();
  const { lang } = useSite();
  const input = useRef<HTMLInputElement>(null);
  const select = useRef<HTMLSelectElement>(null);
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const hint = text('captions.hint', { kilobytes: limits.captions.maxBytes / 1024 });
  const error = problem ?? refused;

  async function pick(file: File) {
    const check = await import('./check-file.ts').catch(() => undefined);
    if (!check) return setProblem(text('offline.partMissing'));
    const against = await check.problemWith(file);
    setProblem(against && text(against.id, against.values ?? { kilobytes: limits.captions.maxBytes / 1024 }));
    // The language may have been chosen while the file was checked.
    onPick(against ? undefined : { file, language: select.current?.value ?? lang });
  }

  return (
    <FieldFrame
      id={id}
      label={text('captions.file')}
      hint={hint}
      error={error}
      {...(optional ? { optional } : {})}
    >
      <div className="flex flex-wrap items-center gap-3">
        <Button
          {...(button ? { ref: button } : {})}
          {...describing(id, { hint, error })}
          disabled={disabled}
          onClick={() => input.current?.click()}
          className="max-w-full"
        >
          <span className="truncate">{picked ? picked.file.name : text('captions.pick')}</span>
        </Button>
        <select
          ref={select}
          aria-label={text('captions.language')}
          defaultValue={lang}
          disabled={disabled}
          onChange={({ target: { value } }) => onPick((before) => before && { ...before, language: value })}
          className="select-look h-11 min-w-0 max-w-full rounded-control border border-line-strong bg-surface pl-3 pr-10 pt-0.5 text-text"
        >
          {offeredLanguages.map((tag) => (
            <option key={tag} value={tag}>
              {languageName(tag, lang)}
            </option>
          ))}
        </select>
        {picked && (
          <Button kind="quiet" disabled={disabled} onClick={() => onPick(undefined)}>
            {text('captions.unpick')}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept=".vtt,text/vtt"
        aria-label={text('captions.choose')}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) void pick(chosen);
          target.value = '';
        }}
      />
    </FieldFrame>
  );
}
