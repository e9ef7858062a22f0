import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { limits } from '#contract/limits.ts';
import { changePassword, editProfile, removePhoto, setPhoto } from '#contract/profile.ts';
import { call } from '#web/api.ts';
import { loadPart } from '#web/messages/catalogues.ts';
import { queryClient } from '#web/query-client.ts';
import { failureText, useText } from '#web/text.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { notify } from '#web/ui/notices.ts';
import type { ProfileFormsProps } from '../interactions/controls.ts';
import { fieldMessages, showFailure } from '../session/form-errors.ts';
import { PasswordField } from '../session/password-field.tsx';
import { beginSession, type SessionUser, updateSessionUser } from '../session/session.ts';

await Promise.all([loadPart('account'), loadPart('settings')]);

/** Changes picture, name, username and password of the account. */
export default function ProfileForms({ user }: ProfileFormsProps) {
  return (
    <>
      <Photo user={user} />
      <Names key={`${user.name} ${user.username}`} user={user} />
      <Password user={user} />
    </>
  );
}

/** Shows the account as it is now; other pages show it to everybody, so their lists are loaded again. */
function changed(user: SessionUser): void {
  updateSessionUser(user);
  void queryClient().invalidateQueries();
}

function Photo({ user }: { user: SessionUser }) {
  const text = useText();
  const input = useRef<HTMLInputElement>(null);
  const changes = useRef<HTMLButtonElement>(null);
  const [shown, setShown] = useState<string>();
  const busy = shown !== undefined;

  async function change(picture: string, sent: Promise<{ user: SessionUser }>) {
    setShown(picture);
    try {
      changed((await sent).user);
      notify('success', text('onsite.saved'));
    } catch (error) {
      notify('error', text('onsite.photoFailed', { reason: failureText(error, text) }));
    } finally {
      setShown(undefined);
    }
  }

  async function choose(file: File | undefined) {
    if (!file) return;
    const picture = URL.createObjectURL(file);
    await change(picture, call(setPhoto, undefined, { file }));
    URL.revokeObjectURL(picture);
  }

  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-4 sm:gap-x-4">
      <Avatar
        src={shown ?? user.profilePic ?? ''}
        name={user.username ?? user.email}
        className="size-16 text-4xl sm:size-20"
      />
      <input
        ref={input}
        type="file"
        accept={limits.photo.accept.join(',')}
        aria-label={text('onsite.photo')}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          void choose(target.files?.[0]);
          target.value = '';
        }}
      />
      <Button ref={changes} busy={busy} onClick={() => input.current?.click()}>
        {text('onsite.photoChange')}
      </Button>
      {user.profilePic && (
        <Button
          kind="quiet"
          disabled={busy}
          className="max-sm:px-2!"
          onClick={() => {
            // This button is gone with the picture.
            changes.current?.focus();
            void change('', call(removePhoto));
          }}
        >
          {text('onsite.photoRemove')}
        </Button>
      )}
    </div>
  );
}

const nameFields = ['name', 'username'] as const;

function Names({ user }: { user: SessionUser }) {
  const text = useText();
  const form = useForm({ defaultValues: { name: user.name ?? '', username: user.username ?? '' } });
  const { errors, isSubmitting } = form.formState;
  const wordsFor = fieldMessages(errors, nameFields);
  const submit = form.handleSubmit(async (body) => {
    try {
      changed((await call(editProfile, { body })).user);
      notify('success', text('onsite.saved'));
    } catch (error) {
      showFailure(error, nameFields, form.setError, text('account.failed'));
    }
  });
  return (
    <form onSubmit={submit} noValidate method="post" className="grid max-w-md gap-4">
      <FormError message={errors.root?.message} />
      <TextField
        label={text('settings.name')}
        autoComplete="name"
        error={wordsFor('name')}
        {...form.register('name')}
      />
      <TextField
        label={text('settings.username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={wordsFor('username')}
        {...form.register('username')}
      />
      <Button type="submit" busy={isSubmitting} className="justify-self-start">
        {text('onsite.save')}
      </Button>
    </form>
  );
}

const passwordFields = ['password', 'newPassword', 'cpassword'] as const;
const noPasswords = { password: '', newPassword: '', cpassword: '' };

function Password({ user }: { user: SessionUser }) {
  const text = useText();
  const form = useForm({ defaultValues: noPasswords });
  const { errors, isSubmitting } = form.formState;
  const wordsFor = fieldMessages(errors, passwordFields);
  const submit = form.handleSubmit(async (body) => {
    try {
      // Every session has ended, this one too; the answer has a new one.
      const { data: token } = await call(changePassword, { body });
      await beginSession(user, token);
      form.reset(noPasswords);
      notify('success', text('onsite.passwordChanged'));
    } catch (error) {
      showFailure(error, passwordFields, form.setError, text('account.failed'));
    }
  });
  return (
    <details className="max-w-md">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
        {text('onsite.passwordChange')}
      </summary>
      <form onSubmit={submit} noValidate method="post" className="mt-3 grid gap-4">
        <FormError message={errors.root?.message} />
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        <PasswordField
          label={text('onsite.passwordNow')}
          autoComplete="current-password"
          error={wordsFor('password')}
          {...form.register('password')}
        />
        <PasswordField
          label={text('account.newPassword')}
          autoComplete="new-password"
          error={wordsFor('newPassword')}
          {...form.register('newPassword')}
        />
        <PasswordField
          label={text('account.confirmPassword')}
          autoComplete="new-password"
          error={wordsFor('cpassword')}
          {...form.register('cpassword')}
        />
        <Button type="submit" busy={isSubmitting} className="justify-self-start">
          {text('onsite.passwordSave')}
        </Button>
      </form>
    </details>
  );
}
