import { type ReactNode, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { notify } from '#web/ui/notices.ts';
import { useDraft } from '../drafts/use-draft.ts';
import type { Editable } from '../profile/own.ts';
import { showFailure } from '../session/form-errors.ts';
import { PostFields } from '../upload/form/post-fields.tsx';
import { ReelFields } from '../upload/form/reel-fields.tsx';
import { CoverPicker } from './cover-picker.tsx';

await Promise.all([loadPart('upload'), loadPart('edit')]);

interface EditDialogProps {
  /** The name under which what was typed is kept if the dialog is closed in between. */
  draft: string;
  editable: Editable;
  /** Sends what was changed. */
  onSave: (changes: object) => Promise<void>;
  /** Opens the subtitles of a reel instead; what was typed is kept. */
  onCaptions: () => void;
  onClose: () => void;
}

/** Edits words, categories and cover of a person's own reel or photo, in the fields with which it was published (decisions §3). */
export default function EditDialog({ draft, editable, onSave, onCaptions, onClose }: EditDialogProps) {
  const text = useText();
  const [cover, setCover] = useState<number>();
  const form = { draft, onSave, onClose };
  return (
    <Dialog
      open
      onClose={onClose}
      title={text(`edit.title.${editable.kind}`)}
      closeLabel={text('dialog.close')}
      className="w-[min(36rem,calc(100vw-1.5rem))]!"
    >
      {editable.kind === 'reels' ? (
        <EditForm
          {...form}
          words={editable.words}
          others={cover === undefined ? {} : { cover }}
          fields={(of) => (
            <>
              <ReelFields form={of} />
              <CoverPicker reel={editable.reel} onChoose={setCover} />
              <Button className="justify-self-start" onClick={onCaptions}>
                {text('captions.change')}
              </Button>
            </>
          )}
        />
      ) : (
        <EditForm {...form} words={editable.words} fields={(of) => <PostFields form={of} />} />
      )}
    </Dialog>
  );
}

interface EditFormProps<Words extends FieldValues> extends Omit<EditDialogProps, 'editable' | 'onCaptions'> {
  words: Words;
  /** Changes of what is not among the words. */
  others?: object;
  fields: (form: UseFormReturn<Words>) => ReactNode;
}

function EditForm<Words extends FieldValues>(props: EditFormProps<Words>) {
  const { words, others, fields, onSave, onClose } = props;
  const text = useText();
  const form = useForm<Words>({ defaultValues: words as DefaultValues<Words> });
  const draft = useDraft(props.draft, form);
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    const changes = { ...changesOf(words, values), ...others };
    try {
      if (Object.keys(changes).length > 0) await onSave(changes);
    } catch (error) {
      return showFailure(error, Object.keys(words) as Path<Words>[], form.setError, text('edit.failed'));
    }
    draft.forget();
    notify('success', text('edit.saved'));
    onClose();
  });

  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <p className="text-soft">{text('edit.lead')}</p>
      {fields(form)}
      <FormError message={errors.root?.message} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button
          onClick={() => {
            draft.forget();
            onClose();
          }}
        >
          {text('edit.cancel')}
        </Button>
        <Button type="submit" kind="primary" busy={isSubmitting}>
          {text(isSubmitting ? 'edit.saving' : 'edit.save')}
        </Button>
      </div>
    </form>
  );
}

/** Only these are sent, so that what was edited elsewhere meanwhile stays. */
function changesOf<Words extends FieldValues>(before: Words, after: Words): Partial<Words> {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed) as Partial<Words>;
}
