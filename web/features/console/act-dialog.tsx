import { useForm } from 'react-hook-form';
import type { MessageId } from '#web/messages/catalogues.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';

/** What an act is told in its dialog. */
export interface Told {
  reason: string;
  /** One of the act's choices. */
  choice: string;
}

export interface ActForm {
  title: MessageId;
  /** What the act does, in one sentence. */
  says: MessageId;
  /** Who reads the reason; an act without it takes none. */
  reason?: { label: MessageId; most: number; suggestions?: readonly MessageId[] };
  choices?: { label: MessageId; options: readonly { value: string; label: MessageId }[] };
  isDangerous?: boolean;
  run: (told: Told) => Promise<unknown>;
}

/** Asks for what an act needs, and does it. It stays open, with all that was typed, if the act is refused. */
export function ActDialog({
  act,
  onDone,
  onClose,
}: {
  act: ActForm;
  onDone: () => void;
  onClose: () => void;
}) {
  const text = useText();
  const { title, says, reason, choices, isDangerous, run } = act;
  const form = useForm<Told>({ defaultValues: { reason: '', choice: choices?.options[0]?.value ?? '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (told) => {
    try {
      await run(told);
      onDone();
    } catch (error) {
      form.setError('root', { message: failureText(error, text) });
    }
  });
  return (
    <Dialog open onClose={onClose} title={text(title)} closeLabel={text('dialog.close')}>
      <form
        onSubmit={submit}
        noValidate
        className="grid gap-4"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
        }}
      >
        <p className="text-soft">{text(says)}</p>
        <FormError message={errors.root?.message} />
        {choices && (
          <fieldset className="grid">
            <legend className="mb-1 font-semibold">{text(choices.label)}</legend>
            {choices.options.map(({ value, label }) => (
              <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
                <input
                  type="radio"
                  value={value}
                  className="size-5 shrink-0 cursor-pointer accent-accent"
                  {...form.register('choice')}
                />
                <span className="pt-0.5">{text(label)}</span>
              </label>
            ))}
          </fieldset>
        )}
        {reason && (
          <>
            {reason.suggestions && (
              <label className="grid gap-1.5 font-semibold">
                {text('console.rule')}
                <select
                  className="h-12 w-full rounded-control border border-line-strong bg-surface px-3 pt-0.5 font-normal"
                  onChange={({ target: { value } }) =>
                    value && form.setValue('reason', value, { shouldValidate: true })
                  }
                >
                  <option value="">{text('console.ownWords')}</option>
                  {reason.suggestions.map((id) => (
                    <option key={id} value={text(id)}>
                      {text(id)}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <TextArea
              label={text(reason.label)}
              rows={3}
              maxLength={reason.most}
              error={errors.reason?.message}
              {...form.register('reason', {
                validate: (words) => words.trim() !== '' || text('console.reasonMissing'),
              })}
            />
          </>
        )}
        <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} busy={isSubmitting}>
          {text(title)}
        </Button>
      </form>
    </Dialog>
  );
}
