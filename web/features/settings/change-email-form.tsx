import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { changeEmail } from '#contract/email.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { fieldMessages, showFailure } from '../session/form-errors.ts';

interface Fields {
  email: string;
}
const names = ['email'] as const;

/** Requests a link to a new address, which replaces that of the account when the link is opened. */
export function ChangeEmailForm() {
  const text = useText();
  const { confirmed, dialog } = useConfirmedCall();
  const [sentTo, setSentTo] = useState('');
  const form = useForm<Fields>({ defaultValues: { email: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (body) => {
    setSentTo('');
    try {
      await confirmed('change_email', { ...body }, (options) => call(changeEmail, { body }, options));
      setSentTo(body.email);
      form.reset();
    } catch (error) {
      showFailure(error, names, form.setError, text('settings.changeEmailFailed'));
    }
  });
  return (
    <>
      <form onSubmit={submit} noValidate method="post" className="grid max-w-md gap-4">
        <FormError message={errors.root?.message} />
        <TextField
          label={text('settings.newEmail')}
          type="email"
          inputMode="email"
          autoComplete="email"
          error={fieldMessages(errors, names)('email')}
          {...form.register('email', { required: text('account.allRequired') })}
        />
        <Button type="submit" busy={isSubmitting} className="justify-self-start">
          {text('settings.sendLink')}
        </Button>
        <p role="status" className={sentTo ? 'text-pretty' : 'sr-only'}>
          {sentTo && text('settings.linkSent', { email: sentTo })}
        </p>
      </form>
      {dialog}
    </>
  );
}
