import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { forgotPassword } from '#contract/password.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { useSite } from '../chrome/use-site.ts';
import { fieldMessages, showFailure } from './form-errors.ts';
import { languageOf } from './language.ts';

interface Fields {
  email: string;
}
const names = ['email'] as const;

/** Requests a reset link; the message afterwards is the same for every address. */
export function ForgotPasswordForm() {
  const text = useText();
  const { lang } = useSite();
  const [sentTo, setSentTo] = useState('');
  const form = useForm<Fields>({ defaultValues: { email: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ email }) => {
    setSentTo('');
    try {
      await call(forgotPassword, { body: { email, language: languageOf(lang) } });
      setSentTo(email);
    } catch (error) {
      showFailure(error, names, form.setError, text('account.failed'));
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
        error={fieldMessages(errors, names)('email')}
        {...form.register('email', { required: text('account.allRequired') })}
      />
      <Button type="submit" kind="primary" busy={isSubmitting} className="mt-2 min-h-12">
        {text('account.forgot.send')}
      </Button>
      <p role="status" className="text-pretty">
        {sentTo && text('account.forgot.sent', { email: sentTo })}
      </p>
    </form>
  );
}
