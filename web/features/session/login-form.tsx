import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { signIn } from '#contract/accounts.ts';
import { isApiError } from '#contract/api-error.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { clearNotices } from '#web/ui/notices.ts';
import { fieldMessages, showFailure } from './form-errors.ts';
import { keepNewPassword, newPasswordOf, PasswordField } from './password-field.tsx';
import { beginSession } from './session.ts';
import { useWayBack } from './way-back.tsx';

interface Fields {
  email: string;
  password: string;
}
const names = ['email', 'password'] as const;

/** Email and password; success leads to /UserProfile (specification §4). */
export function LoginForm({ email }: { email: string }) {
  const text = useText();
  const navigate = useNavigate();
  const wayBack = useWayBack();
  const form = useForm<Fields>({ defaultValues: { email, password: newPasswordOf(email) } });
  // Whoever comes here later types it.
  useEffect(() => () => keepNewPassword(undefined), []);
  const { errors, isSubmitting } = form.formState;
  const wordsFor = fieldMessages(errors, names);
  const required = { required: text('account.allRequired') };

  const submit = form.handleSubmit(async (fields) => {
    clearNotices();
    try {
      const { user, data } = await call(signIn, { body: fields });
      await beginSession(user ?? { email: fields.email }, data);
      await navigate('/UserProfile', { state: wayBack });
    } catch (error) {
      // Logged as well as shown (specification §8).
      console.error(isApiError(error) ? error.message : error);
      showFailure(error, [], form.setError, text('account.invalid'));
    }
  });

  return (
    <form onSubmit={submit} noValidate method="post" className="grid gap-4 needs-script">
      <FormError message={errors.root?.message} />
      <TextField
        label={text('account.email')}
        type="email"
        inputMode="email"
        autoComplete="username"
        error={wordsFor('email')}
        {...form.register('email', required)}
      />
      <PasswordField
        label={text('account.password')}
        autoComplete="current-password"
        error={wordsFor('password')}
        {...form.register('password', required)}
      />
      <Button type="submit" kind="primary" busy={isSubmitting} className="mt-2 min-h-12">
        {text('account.login')}
      </Button>
    </form>
  );
}
