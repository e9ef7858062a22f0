import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { isApiError } from '#contract/api-error.ts';
import { sendContact } from '#contract/contact.ts';
import { limits } from '#contract/limits.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { notify } from '#web/ui/notices.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { useDraft } from '../drafts/use-draft.ts';
import { FormSent } from '../form-posts/form-sent.tsx';
import { useOwnAddress } from '../form-posts/own-address.ts';
import { usePosted } from '../form-posts/posted.ts';
import { fieldMessages, showFailure } from '../session/form-errors.ts';
import { useSession } from '../session/use-session.ts';
import { failureWords } from './failure.ts';

interface Fields {
  name: string;
  email: string;
  phone: string;
  text: string;
}
export const contactFields = ['name', 'email', 'phone', 'text'] as const;
const empty: Fields = { name: '', email: '', phone: '', text: '' };

/**
 * Name, e-mail address and message are required. For signed-in people the first two are filled in and locked
 * (specification §5).
 */
export function ContactForm() {
  const text = useText();
  const { user } = useSession();
  const posted = usePosted();
  const form = useForm<Fields>({
    defaultValues: { ...empty, ...posted?.values },
    ...(posted ? { errors: posted.errors } : {}),
  });
  const { errors, isSubmitting } = form.formState;
  const draft = useDraft('contact', form);
  const wordsFor = fieldMessages(errors, contactFields);
  const required = { validate: (value: string) => value.trim() !== '' || text('contact.required') };

  const address = useOwnAddress('/Contact');
  const { setValue } = form;
  const hydrated = useHydrated();
  const locked = user ? { name: user.name ?? user.email, email: user.email } : undefined;
  const { name: ownName, email: ownEmail } = locked ?? {};
  useEffect(() => {
    // Runs after the draft is restored, which may hold older values.
    if (!hydrated || ownName === undefined || ownEmail === undefined) return;
    setValue('name', ownName);
    setValue('email', ownEmail);
  }, [hydrated, ownName, ownEmail, setValue]);

  const submit = form.handleSubmit(async ({ name, email, phone, text: words }) => {
    try {
      await call(sendContact, { body: { userId: user?._id ?? null, name, email, phone, text: words } });
      notify('success', text('contact.sent'));
      form.reset({ ...empty, ...locked });
      draft.forget();
    } catch (error) {
      if (isApiError(error) && error.field) showFailure(error, contactFields, form.setError, '');
      else form.setError('root', { message: failureWords(error, 'contact.failed', text) });
    }
  });

  return (
    <form onSubmit={submit} noValidate method="post" action={address} className="grid gap-4">
      <FormSent id="sent">{text('contact.sent')}</FormSent>
      <FormError message={errors.root?.message} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={text('account.name')}
          autoComplete="name"
          maxLength={80}
          readOnly={locked !== undefined}
          error={wordsFor('name')}
          defaultValue={posted?.values.name}
          {...form.register('name', required)}
        />
        <TextField
          label={text('account.email')}
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          readOnly={locked !== undefined}
          error={wordsFor('email')}
          defaultValue={posted?.values.email}
          {...form.register('email', required)}
        />
      </div>
      {/* A class set before the first paint shows it to signed-in people, so nothing moves when the session is known. */}
      <p className="hidden text-[0.9375rem] text-soft signed-in:block">{text('contact.locked')}</p>
      <TextField
        label={text('contact.phone')}
        optional={text('upload.optional')}
        type="tel"
        autoComplete="tel"
        maxLength={30}
        error={wordsFor('phone')}
        defaultValue={posted?.values.phone}
        {...form.register('phone')}
      />
      <TextArea
        label={text('contact.message')}
        rows={6}
        maxLength={limits.message}
        error={wordsFor('text')}
        defaultValue={posted?.values.text}
        {...form.register('text', required)}
      />
      <Button
        type="submit"
        kind="primary"
        busy={isSubmitting}
        className="mt-1 min-h-12 sm:justify-self-start sm:px-10"
      >
        {text(isSubmitting ? 'message.sending' : 'contact.send')}
      </Button>
    </form>
  );
}
