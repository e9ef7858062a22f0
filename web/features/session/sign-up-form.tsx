import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { signUp } from '#contract/accounts.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { notify } from '#web/ui/notices.ts';
import { useSite } from '../chrome/use-site.ts';
import { useOwnAddress } from '../form-posts/own-address.ts';
import { usePosted } from '../form-posts/posted.ts';
import { fieldMessages, showFailure } from './form-errors.ts';
import { languageOf } from './language.ts';
import { keepNewPassword, PasswordField } from './password-field.tsx';
import { useWayBack } from './way-back.tsx';

interface Fields {
  name: string;
  username: string;
  email: string;
  password: string;
  cpassword: string;
}
export const signUpFields = ['name', 'username', 'email', 'password', 'cpassword'] as const;

/** The five fields of specification §5; success leads to /LoginEmail with the address filled in. */
export function SignUpForm() {
  const text = useText();
  const navigate = useNavigate();
  const wayBack = useWayBack();
  const posted = usePosted();
  const { lang } = useSite();
  const form = useForm<Fields>({
    defaultValues: { name: '', username: '', email: '', password: '', cpassword: '', ...posted?.values },
    ...(posted ? { errors: posted.errors } : {}),
  });
  const address = useOwnAddress('/SignupForm');
  const { errors, isSubmitting } = form.formState;
  const wordsFor = fieldMessages(errors, signUpFields);

  const submit = form.handleSubmit(async (fields) => {
    try {
      await call(signUp, { body: { ...fields, language: languageOf(lang) } });
      keepNewPassword(fields);
      notify('success', text('account.created'));
      await navigate('/LoginEmail', { state: { ...wayBack, email: fields.email } });
    } catch (error) {
      showFailure(error, signUpFields, form.setError, text('account.failed'));
      // The server reports this together with other errors; it is shown even if the server was not reached.
      const { password, cpassword } = fields;
      if (password && cpassword && password !== cpassword)
        form.setError('cpassword', { message: text('account.mismatch') });
    }
  });

  return (
    <form
      onSubmit={submit}
      noValidate
      method="post"
      action={address}
      className="grid items-start gap-4 sm:grid-cols-2"
    >
      <div className="sm:col-span-2 empty:hidden">
        <FormError message={errors.root?.message} />
      </div>
      <TextField
        label={text('account.name')}
        autoComplete="name"
        maxLength={80}
        error={wordsFor('name')}
        defaultValue={posted?.values.name}
        {...form.register('name')}
      />
      <TextField
        label={text('account.username')}
        hint={text('account.usernameHint')}
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={30}
        error={wordsFor('username')}
        defaultValue={posted?.values.username}
        {...form.register('username')}
      />
      <div className="sm:col-span-2">
        <TextField
          label={text('account.email')}
          type="email"
          inputMode="email"
          autoComplete="username"
          error={wordsFor('email')}
          defaultValue={posted?.values.email}
          {...form.register('email')}
        />
      </div>
      <PasswordField
        label={text('account.password')}
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
      <Button type="submit" kind="primary" busy={isSubmitting} className="mt-2 min-h-12 sm:col-span-2">
        {text('account.signUp')}
      </Button>
    </form>
  );
}
