import { useForm } from 'react-hook-form';
import { type ConfirmedAct, confirm } from '#contract/confirmation.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { useSite } from '../chrome/use-site.ts';
import { GoogleButton } from '../session/google-button.tsx';
import { PasswordField } from '../session/password-field.tsx';
import { useGoogle } from '../session/use-google.ts';

interface ConfirmDialogProps {
  act: ConfirmedAct;
  params: Record<string, unknown>;
  answer: (confirmation: string | undefined) => void;
}

/** Asks who it is before an act that cannot be undone: by the password, or by Google. */
export function ConfirmDialog({ act, params, answer }: ConfirmDialogProps) {
  const text = useText();
  const { google } = useSite();
  const form = useForm({ defaultValues: { password: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ password }) => {
    try {
      answer((await call(confirm, { body: { act, params, password } })).confirmation);
    } catch (error) {
      form.setError('password', { message: failureText(error, text) });
    }
  });
  const { begin, busy, problem } = useGoogle(async (idToken) => {
    answer((await call(confirm, { body: { act, params, idToken } })).confirmation);
  }, text('confirm.failed'));

  return (
    <Dialog
      open
      onClose={() => answer(undefined)}
      title={text('confirm.title')}
      closeLabel={text('dialog.close')}
    >
      <p className="mb-5 text-pretty text-soft">{text('confirm.text')}</p>
      <form onSubmit={submit} noValidate method="post" className="grid gap-4">
        <PasswordField
          label={text('account.password')}
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register('password', { required: text('account.allRequired') })}
        />
        <Button type="submit" kind="primary" busy={isSubmitting} className="min-h-12">
          {text('confirm.confirm')}
        </Button>
      </form>
      {google && (
        <div className="mt-4 grid gap-3">
          <FormError message={problem} />
          <GoogleButton
            words={text(busy ? 'account.googleWaiting' : 'confirm.google')}
            busy={busy}
            onClick={begin}
          />
        </div>
      )}
    </Dialog>
  );
}
