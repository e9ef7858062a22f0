import { useForm } from 'react-hook-form';
import { sendFeedback } from '#contract/contact.ts';
import { limits } from '#contract/limits.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { notify } from '#web/ui/notices.ts';
import { useDraft } from '../drafts/use-draft.ts';
import { FormSent } from '../form-posts/form-sent.tsx';
import { useOwnAddress } from '../form-posts/own-address.ts';
import { usePosted } from '../form-posts/posted.ts';
import { failureWords } from './failure.ts';

interface Fields {
  name: string;
  text: string;
}
export const feedbackFields = ['name', 'text'] as const;
const empty: Fields = { name: '', text: '' };

/** The text is required, the name is not (specification §5). */
export function FeedbackForm() {
  const text = useText();
  const posted = usePosted();
  const form = useForm<Fields>({
    defaultValues: { ...empty, ...posted?.values },
    ...(posted ? { errors: posted.errors } : {}),
  });
  const { errors, isSubmitting } = form.formState;
  const draft = useDraft('feedback', form);
  const address = useOwnAddress('/Feedback');

  const submit = form.handleSubmit(async ({ name, text: words }) => {
    try {
      await call(sendFeedback, { body: { name, text: words } });
      notify('success', text('feedback.sent'));
      form.reset(empty);
      draft.forget();
    } catch (error) {
      form.setError('root', { message: failureWords(error, 'feedback.failed', text) });
    }
  });

  return (
    <form onSubmit={submit} noValidate method="post" action={address} className="grid gap-4">
      <FormSent id="sent">{text('feedback.sent')}</FormSent>
      <FormError message={errors.root?.message} />
      <TextField
        label={text('account.name')}
        optional={text('upload.optional')}
        autoComplete="name"
        maxLength={80}
        error={errors.name?.message}
        defaultValue={posted?.values.name}
        {...form.register('name')}
      />
      <TextArea
        label={text('feedback.text')}
        rows={7}
        maxLength={limits.message}
        error={errors.text?.message}
        defaultValue={posted?.values.text}
        {...form.register('text', {
          validate: (value) => value.trim() !== '' || text('feedback.required'),
        })}
      />
      <Button
        type="submit"
        kind="primary"
        busy={isSubmitting}
        className="mt-1 min-h-12 sm:justify-self-start sm:px-10"
      >
        {text(isSubmitting ? 'message.sending' : 'feedback.send')}
      </Button>
    </form>
  );
}
