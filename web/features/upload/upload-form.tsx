import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { isApiError } from '#contract/api-error.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/form-error.tsx';
import { useDraft } from '../drafts/use-draft.ts';
import { LeaveWarning } from './leave-warning.tsx';
import type { Media, Picked } from './media.ts';
import { MediaPicker } from './media-picker.tsx';
import { RowHead } from './row-head.tsx';
import { Sending } from './sending.tsx';
import type { Holding } from './several.ts';
import type { Place } from './several-forms.tsx';
import { usePick } from './use-pick.ts';
import { isCancelled, type TransferControl } from './use-transfer.ts';

interface UploadFormProps<Fields extends FieldValues> {
  media: Media;
  /** The words that go with the file, and the name their draft is kept under. */
  form: UseFormReturn<Fields>;
  draft: string;
  /** Sends and publishes; what it throws is shown. */
  send: (picked: Picked) => Promise<void>;
  control: TransferControl;
  /** Among others that are published with it; there are none where it is left out. */
  place?: Place;
  /** Said when it did not work: with the server's reason where it refused, else without one. */
  refused: MessageId;
  failed: MessageId;
  /** A file that is here already: it stands in the picker's place. */
  arrived?: { shown: ReactNode; publish: () => Promise<void> } | undefined;
  /** Something is on its way here, so that leaving would lose it. */
  isAwaited?: boolean;
  /** Whether something else is still missing; it says so itself. */
  isMissing?: () => boolean;
  /** Shape of the place where the file is shown. */
  pickerClassName?: string;
  children: ReactNode;
}

/** A file and the words that go with it; cleared on success, kept on failure (specification §4, §5). */
export function UploadForm<Fields extends FieldValues>(props: UploadFormProps<Fields>) {
  const {
    media,
    form,
    send,
    control,
    place,
    refused,
    failed,
    arrived,
    isMissing,
    isAwaited = false,
    pickerClassName,
    children,
  } = props;
  const text = useText();
  const { picked, error, pick, choose, clear, setError } = usePick(media, place?.entry.given);
  const draft = useDraft(draftOf(props.draft, place), form);
  const [failure, setFailure] = useState<string>();
  const pickButton = useRef<HTMLButtonElement>(null);
  const publishButton = useRef<HTMLButtonElement>(null);
  const [publishing, setPublishing] = useState(false);
  const { progress } = control;
  const busy = progress !== undefined || publishing;
  const open = place?.open ?? true;
  const fields = useId();
  useHolding(place, busy ? 'transfer' : picked ? 'file' : 'nothing');

  function refuse(message: string) {
    setError(message);
    pickButton.current?.focus();
  }

  async function submit() {
    if (busy) return;
    setFailure(undefined);
    if (!picked && !arrived) return refuse(text(media.words.missing));
    // What is wrong with it is said beside it.
    if (!arrived && (await picked?.objection)) return pickButton.current?.focus();
    setError(undefined);
    if (isMissing?.()) return;
    try {
      if (arrived) {
        setPublishing(true);
        await arrived.publish();
      } else if (picked) await send(picked);
      clear();
      form.reset();
      draft.forget();
      if (place && !(place.alone && !place.entry.given)) place.change({ type: 'end', id: place.entry.id });
    } catch (reason) {
      if (isCancelled(reason)) return publishButton.current?.focus();
      if (!isApiError(reason) || reason.status < 400 || reason.status >= 500) return setFailure(text(failed));
      const message = text(refused, { reason: reason.sentence });
      if (reason.field === 'file' || reason.field === 'fileName') refuse(message);
      else setFailure(message);
    } finally {
      setPublishing(false);
    }
  }

  function give(files: File[]) {
    const [first, ...others] = files;
    if (first) void pick(first);
    if (others.length > 0) place?.add(others);
  }

  const outcome = (
    <>
      {progress && <Sending progress={progress} control={control} checking={media.words.checking} />}
      <FormError message={failure} />
      {failure && (
        <Button className="justify-self-start" onClick={() => void submit()}>
          {text('upload.retry')}
        </Button>
      )}
    </>
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      className={classNames(
        'grid gap-5',
        place && !place.alone && 'rounded-panel border border-line bg-surface p-4',
      )}
    >
      {place && !place.alone && <RowHead place={place} picked={picked} busy={busy} controls={fields} />}
      {!place && <LeaveWarning active={busy || isAwaited || picked !== undefined || arrived !== undefined} />}
      {!open && outcome}
      <div id={fields} hidden={!open} className="grid gap-8 md:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]">
        {arrived
          ? arrived.shown
          : open && (
              <MediaPicker
                media={media}
                picked={picked}
                onPick={give}
                onCover={choose}
                multiple={place !== undefined}
                error={error}
                disabled={busy}
                button={pickButton}
                {...(pickerClassName ? { className: pickerClassName } : {})}
              />
            )}
        <div className="grid content-start gap-5">
          {children}
          {open && outcome}
          <Button ref={publishButton} type="submit" kind="primary" busy={busy} className="min-h-12">
            {text(busy ? 'upload.uploading' : 'upload.publish')}
          </Button>
        </div>
      </div>
      {!open && error && (
        <p role="alert" className="font-medium text-alert">
          {error}
        </p>
      )}
    </form>
  );
}

/** After a reload the words are there again for the same file. */
function draftOf(name: string, place: Place | undefined): string {
  const given = place?.entry.given;
  return given ? `${name}.${given.name}.${given.size}.${given.lastModified}` : name;
}

function useHolding(place: Place | undefined, holding: Holding) {
  const { change, entry } = place ?? {};
  const id = entry?.id;
  useEffect(() => {
    if (change && id !== undefined) change({ type: 'hold', id, holding });
  }, [change, id, holding]);
}
