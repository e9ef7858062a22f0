import { useForm } from 'react-hook-form';
import { limits } from '../../../contract/limits.ts';
import { sendFeedback } from '../../../contract/messages.ts';
import { call } from '../../api.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { notify } from '../../ui/notices.ts';
import { useDraft } from '../drafts/use-draft.ts';
import { failureWords } from './failure.ts';

interface Fields {
  name: string;
  text: string;
}
const empty: Fields = { name: '', text: '' };

/** Words must be there, a name need not (specification §5). */
export function FeedbackForm() {
  const text = useText();
  const form = useForm<Fields>({ defaultValues: empty });
  const { errors, isSubmitting } = form.formState;
  const draft = useDraft('feedback', form);

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
    <form onSubmit={submit} noValidate method="post" className="grid gap-4">
      <FormError message={errors.root?.message} />
      <TextField
        label={text('account.name')}
        optional={text('upload.optional')}
        autoComplete="name"
        maxLength={80}
        {...form.register('name')}
      />
      <TextArea
        label={text('feedback.text')}
        rows={7}
        maxLength={limits.message}
        error={errors.text?.message}
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
