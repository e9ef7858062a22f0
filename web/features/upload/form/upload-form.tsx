import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { isApiError } from '#contract/api-error.ts';
import { ChangedFile } from '#web/changed-file.ts';
import { useDraft } from '#web/features/drafts/use-draft.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/form-error.tsx';
import type { Media, Picked } from '../media/media.ts';
import { LeaveWarning } from './leave-warning.tsx';
import { MediaPicker } from './media-picker.tsx';
import { QueueItemHeader } from './queue-item-header.tsx';
import { UploadProgress } from './upload-progress.tsx';
import type { ItemState } from './upload-queue.ts';
import type { QueueSlot } from './upload-queue-forms.tsx';
import { usePick } from './use-pick.ts';
import { isCancelled, type TransferControl } from './use-transfer.ts';

interface UploadFormProps<Fields extends FieldValues> {
  media: Media;
  /** The form's fields, and the name under which a draft of them is saved. */
  form: UseFormReturn<Fields>;
  draft: string;
  /** Uploads and publishes the file. Errors that it throws are shown. */
  send: (picked: Picked) => Promise<void>;
  control: TransferControl;
  /** Connects the form to the upload queue. Left out where the page has a single form. */
  slot?: QueueSlot;
  /** Messages for a failed upload: `refused` adds the server's reason, `failed` has none. */
  refused: MessageId;
  failed: MessageId;
  /** A file that the server has already; it is shown instead of the file picker. */
  arrived?: { shown: ReactNode; publish: () => Promise<void> } | undefined;
  /** A file is being fetched, and leaving the page would lose it. */
  isAwaited?: boolean;
  /** Whether another field is not ready to be sent; the function shows the error itself. */
  isIncomplete?: () => boolean | Promise<boolean>;
  /** The CSS class that gives the preview its aspect ratio. */
  pickerClassName?: string;
  children: ReactNode;
}

/** A form for one file and its fields. It is cleared on success and stays filled in after a failure (specification §4, §5). */
export function UploadForm<Fields extends FieldValues>(props: UploadFormProps<Fields>) {
  const {
    media,
    form,
    send,
    control,
    slot,
    refused,
    failed,
    arrived,
    isIncomplete,
    isAwaited = false,
    pickerClassName,
    children,
  } = props;
  const text = useText();
  const { picked, error, pick, choose, clear, setError } = usePick(media, slot?.item.initialFile);
  const draft = useDraft(draftOf(props.draft, slot), form);
  const [failure, setFailure] = useState<string>();
  const pickButton = useRef<HTMLButtonElement>(null);
  const publishButton = useRef<HTMLButtonElement>(null);
  /** From the first byte until everything that belongs to the file is sent, such as captions. */
  const [publishing, setPublishing] = useState(false);
  /** Unlike the state it is known at once: the page may be pressed again before it is drawn, and while the file is checked. */
  const submitting = useRef(false);
  const { progress } = control;
  const busy = progress !== undefined || publishing;
  const isOpen = slot?.isOpen ?? true;
  // The picker comes first. What was typed for an earlier file is shown at once.
  const isFirstStep = slot?.isOnly === true && !picked && !busy && !form.formState.isDirty;
  /** There is something to publish. Until then nothing may cover the fields and the buttons of the picker. */
  const isReady = picked !== undefined || arrived !== undefined || busy;
  const fields = useId();
  useItemState(slot, busy ? 'transfer' : picked ? 'file' : 'nothing');

  function refuse(message: string) {
    setError(message);
    pickButton.current?.focus();
  }

  async function submit() {
    // A second press would publish the file again.
    if (submitting.current) return;
    submitting.current = true;
    await publish().finally(() => {
      submitting.current = false;
    });
  }

  async function publish() {
    setFailure(undefined);
    if (!picked && !arrived) return refuse(text(media.words.missing));
    // The picker shows what is wrong with the file.
    if (!arrived && (await picked?.problem)) return pickButton.current?.focus();
    setError(undefined);
    if (await isIncomplete?.()) return;
    setPublishing(true);
    try {
      if (arrived) await arrived.publish();
      else if (picked) await send(picked);
      clear();
      form.reset();
      draft.forget();
      if (slot && !(slot.isOnly && !slot.item.initialFile))
        slot.dispatch({ type: 'remove', id: slot.item.id });
    } catch (reason) {
      if (isCancelled(reason)) return publishButton.current?.focus();
      if (reason instanceof ChangedFile) {
        clear();
        return refuse(text('upload.chooseAgain'));
      }
      if (!isApiError(reason) || reason.status < 400 || reason.status >= 500) return setFailure(text(failed));
      const message = text(refused, { reason: reason.sentence });
      if (reason.field === 'file' || reason.field === 'fileName') refuse(message);
      else setFailure(message);
    } finally {
      setPublishing(false);
    }
  }

  function pickFiles(files: File[]) {
    const [first, ...others] = files;
    if (first) void pick(first);
    if (others.length > 0) slot?.addFiles(others);
  }

  const outcome = (
    <>
      {progress && <UploadProgress progress={progress} control={control} checking={media.words.checking} />}
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
        // Not a grid, in which the bar could not stick to the foot of the screen while the preview fills it.
        'flex flex-col gap-5',
        slot && !slot.isOnly && 'rounded-panel border border-line bg-surface p-4',
      )}
    >
      {slot && !slot.isOnly && <QueueItemHeader slot={slot} picked={picked} busy={busy} controls={fields} />}
      {!slot && <LeaveWarning active={busy || isAwaited || picked !== undefined || arrived !== undefined} />}
      {!isOpen && outcome}
      <div
        id={fields}
        hidden={!isOpen}
        className={classNames('grid gap-8', !isFirstStep && 'md:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]')}
      >
        {arrived
          ? arrived.shown
          : isOpen && (
              <MediaPicker
                media={media}
                picked={picked}
                onPick={pickFiles}
                onCover={choose}
                multiple={slot !== undefined}
                error={error}
                disabled={busy}
                button={pickButton}
                isAlone={isFirstStep}
                {...(pickerClassName ? { className: pickerClassName } : {})}
              />
            )}
        <div className="grid content-start gap-5">
          <div hidden={isFirstStep} className="grid gap-5">
            {children}
          </div>
        </div>
      </div>
      {isOpen && (
        <div
          className={classNames(
            'grid gap-3',
            !isFirstStep && 'md:ml-80',
            isReady &&
              'sticky bottom-[calc(var(--foot)+0.5rem)] z-10 rounded-panel border border-line bg-surface p-3 shadow-raised short:p-1',
          )}
        >
          {outcome}
          <Button
            ref={publishButton}
            type="submit"
            kind={isReady ? 'primary' : 'secondary'}
            // The bar moves already.
            busy={busy && !progress}
            disabled={busy}
            className="min-h-12"
          >
            {text(busy ? 'upload.uploading' : 'upload.publish')}
          </Button>
        </div>
      )}
      {!isOpen && error && (
        <p role="alert" className="font-medium text-alert">
          {error}
        </p>
      )}
    </form>
  );
}

/** The draft's name contains the file, so that after a reload the same file gets its fields back. */
function draftOf(name: string, slot: QueueSlot | undefined): string {
  const file = slot?.item.initialFile;
  return file ? `${name}.${file.name}.${file.size}.${file.lastModified}` : name;
}

/** Reports to the queue what this form holds. */
function useItemState(slot: QueueSlot | undefined, state: ItemState) {
  const { dispatch, item } = slot ?? {};
  const id = item?.id;
  useEffect(() => {
    if (dispatch && id !== undefined) dispatch({ type: 'setState', id, state });
  }, [dispatch, id, state]);
}
