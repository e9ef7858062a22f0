import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { deleteUser } from '#contract/account-deletion.ts';
import { isApiError } from '#contract/api-error.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button, buttonLook } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';

import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';

interface ConfirmFormProps {
  userId: string;
  username: string;
  onDeleted: () => void;
  /** Called if the server knows something that the page does not show yet. */
  onRefused: () => void;
  /** Called if the response was lost and the result is unknown. */
  onLost: () => void;
}

/** Normalizes a username, so that spellings of the same one are equal. */
const foldCase = (username: string) => username.trim().replace(/^@/, '').normalize('NFKC').toLowerCase();

/** The second step: the person types their username, so that nobody deletes the account by mistake. */
export function ConfirmForm({ userId, username, onDeleted, onRefused, onLost }: ConfirmFormProps) {
  const text = useText();
  const form = useForm<{ typed: string }>({ defaultValues: { typed: '' } });
  const { errors, isSubmitting } = form.formState;
  const { confirmed, dialog } = useConfirmedCall();

  const submit = form.handleSubmit(async () => {
    try {
      const params = { userId };
      await confirmed('delete_account', params, (options) => call(deleteUser, { params }, options));
      onDeleted();
    } catch (error) {
      form.setError('root', { message: wordsFor(error, text) });
      if (isApiError(error) && error.status === 409) onRefused();
      if (isUnanswered(error)) onLost();
    }
  });

  return (
    <>
      <form
        onSubmit={submit}
        noValidate
        method="post"
        className="grid gap-4 rounded-panel border-2 border-alert bg-surface p-5 sm:p-6"
      >
        <FormError message={errors.root?.message} />
        <TextField
          label={text('deletion.confirm', { username })}
          hint={text('deletion.confirmHint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={80}
          error={errors.typed?.message}
          {...form.register('typed', {
            validate: (typed) =>
              foldCase(typed) === foldCase(username) || text('deletion.differs', { username }),
          })}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="danger" busy={isSubmitting} className="min-h-12">
            {text(isSubmitting ? 'deletion.deleting' : 'deletion.delete')}
          </Button>
          <Link to="/UserProfile" className={buttonLook('quiet', 'min-h-12')}>
            {text('deletion.keep')}
          </Link>
        </div>
      </form>
      {dialog}
    </>
  );
}

const isUnanswered = (error: unknown) =>
  isApiError(error) && (error.status === 0 || error.code === 'unavailable');

/** The message about a failed deletion (specification §8). */
function wordsFor(error: unknown, text: ReturnType<typeof useText>): string {
  if (isUnanswered(error)) return text('deletion.network');
  const message = isApiError(error) && error.sentence ? error.sentence : text('deletion.failed');
  return text('deletion.error', { message });
}
