import { useForm } from 'react-hook-form';
import { Link, useNavigate } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import { resetPassword } from '#contract/password.ts';
import { call } from '#web/api.ts';
import { T, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { notify } from '#web/ui/notices.ts';
import { fieldMessages, showFailure } from './form-errors.ts';
import { PasswordField } from './password-field.tsx';
import { endSession } from './session.ts';

interface Fields {
  password: string;
  cpassword: string;
}
const names = ['password', 'cpassword'] as const;

/** Sets a new password with the secret of a link. The server ends every session, this browser's too. */
export function ResetPasswordForm() {
  const text = useText();
  const navigate = useNavigate();
  const form = useForm<Fields>({ defaultValues: { password: '', cpassword: '' } });
  const { errors, isSubmitting } = form.formState;
  const wordsFor = fieldMessages(errors, names);
  const submit = form.handleSubmit(async (fields) => {
    // Read now, so that it also works for a replayed click. It is in the fragment (`#`), which browsers never send to a server.
    const secret = location.hash.slice(1);
    if (!secret) return form.setError('root', { message: text('account.reset.noLink') });
    try {
      await call(resetPassword, { body: { token: secret, ...fields } });
      endSession();
      notify('success', text('account.reset.done'));
      await navigate('/LoginEmail', { replace: true });
    } catch (error) {
      const isOver = isApiError(error) && error.code === 'link_over';
      showFailure(error, isOver ? [] : names, form.setError, text('account.failed'));
    }
  });
  return (
    <form onSubmit={submit} noValidate method="post" className="grid gap-4 needs-script">
      <FormError message={errors.root?.message} />
      <PasswordField
        label={text('account.newPassword')}
        autoComplete="new-password"
        error={wordsFor('password')}
        {...form.register('password')}
      />
      <PasswordField
        label={text('account.confirmPassword')}
        autoComplete="new-password"
        error={wordsFor('cpassword')}
        {...form.register('cpassword')}
      />
      <Button type="submit" kind="primary" busy={isSubmitting} className="mt-2 min-h-12">
        {text('account.reset.save')}
      </Button>
      <p className="text-soft">
        <T id="account.reset.another" parts={{ a: <Link to="/ForgotPassword" className="text-link" /> }} />
      </p>
    </form>
  );
}
