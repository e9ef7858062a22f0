import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  type ConfirmedAct,
  confirm,
  passkeyConfirmation,
  sendConfirmationCode,
} from '#contract/confirmation.ts';
import { call } from '#web/api.ts';
import { loadPart } from '#web/messages/catalogues.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { useSite } from '../chrome/use-site.ts';
import { PasskeyButton } from '../passkeys/passkey-button.tsx';
import { passkeysQuery } from '../passkeys/passkeys-query.ts';
import { factorQuery } from '../session/factor-query.ts';
import { GoogleButton } from '../session/google-button.tsx';
import { PasswordField } from '../session/password-field.tsx';
import { useGoogle } from '../session/use-google.ts';
import { useSession } from '../session/use-session.ts';

await loadPart('confirm');

interface WayProps {
  act: ConfirmedAct;
  params: Record<string, unknown>;
  answer: (confirmation: string | undefined) => void;
}

interface ConfirmDialogProps extends WayProps {
  byFactor: boolean;
  onClose: () => void;
}

/**
 * Asks for proof of identity before an irreversible action: password, passkey, code by mail, or Google. An operator acts and
 * adds a passkey with a second factor only.
 */
export default function ConfirmDialog({ act, params, byFactor, answer, onClose }: ConfirmDialogProps) {
  const text = useText();
  const { user } = useSession();
  const isPasskey = act === 'add_passkey';
  const factor = useQuery({ ...factorQuery(user?._id), enabled: isPasskey });
  if (isPasskey && factor.isPending) return null;
  const Ways = byFactor || (isPasskey && factor.data?.required) ? ByFactor : ByAnything;
  return (
    <Dialog open onClose={onClose} title={text('confirm.title')} closeLabel={text('dialog.close')}>
      <Ways act={act} params={params} answer={answer} />
    </Dialog>
  );
}

function ByFactor({ act, params, answer }: WayProps) {
  const text = useText();
  const form = useForm({ defaultValues: { totp: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ totp }) => {
    try {
      answer((await call(confirm, { body: { act, params, totp } })).confirmation);
    } catch (error) {
      form.setError('totp', { message: failureText(error, text) });
    }
  });
  return (
    <>
      <p className="mb-5 text-pretty text-soft">{text('confirm.factorText')}</p>
      <form onSubmit={submit} noValidate method="post" className="grid gap-4">
        <TextField
          label={text('confirm.factorCode')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.totp?.message}
          {...form.register('totp', { required: text('account.allRequired') })}
        />
        <Button type="submit" kind="primary" busy={isSubmitting} className="min-h-12">
          {text('confirm.confirm')}
        </Button>
      </form>
      <ByPasskey act={act} params={params} answer={answer} />
    </>
  );
}

function ByPasskey({ act, params, answer }: WayProps) {
  const text = useText();
  const { user } = useSession();
  const passkeys = useQuery(passkeysQuery(user?._id));
  async function byPasskey() {
    const { askPasskey } = await import('../passkeys/authenticator.ts');
    const { options } = await call(passkeyConfirmation, { body: { act, params } });
    const passkey = await askPasskey(options);
    answer((await call(confirm, { body: { act, params, passkey } })).confirmation);
  }
  if (!passkeys.data?.length) return null;
  return (
    <div className="mt-4 grid gap-3">
      <PasskeyButton words={text('confirm.passkey')} run={byPasskey} />
    </div>
  );
}

function ByAnything({ act, params, answer }: WayProps) {
  const text = useText();
  const { google, mail } = useSite();
  const { user } = useSession();
  const form = useForm({ defaultValues: { password: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ password }) => {
    try {
      answer((await call(confirm, { body: { act, params, password } })).confirmation);
    } catch (error) {
      form.setError('password', { message: failureText(error, text) });
    }
  });
  const mailed = useForm({ defaultValues: { code: '' } });
  const [isMailed, setIsMailed] = useState(false);
  const sendMail = mailed.handleSubmit(async () => {
    try {
      await call(sendConfirmationCode, { body: { act, params } });
      setIsMailed(true);
    } catch (error) {
      mailed.setError('root', { message: failureText(error, text) });
    }
  });
  const submitCode = mailed.handleSubmit(async ({ code }) => {
    try {
      answer((await call(confirm, { body: { act, params, code } })).confirmation);
    } catch (error) {
      mailed.setError('code', { message: failureText(error, text) });
    }
  });
  const { begin, busy, problem } = useGoogle(async (idToken) => {
    answer((await call(confirm, { body: { act, params, idToken } })).confirmation);
  }, text('confirm.failed'));

  return (
    <>
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
      <ByPasskey act={act} params={params} answer={answer} />
      {mail && user?.emailVerified && (
        <form
          onSubmit={isMailed ? submitCode : sendMail}
          noValidate
          method="post"
          className="mt-4 grid gap-4"
        >
          <FormError message={mailed.formState.errors.root?.message} />
          {isMailed && (
            <TextField
              label={text('confirm.code')}
              hint={text('confirm.codeHint', { email: user.email })}
              inputMode="numeric"
              autoComplete="one-time-code"
              error={mailed.formState.errors.code?.message}
              {...mailed.register('code', { required: text('account.allRequired') })}
            />
          )}
          <Button type="submit" busy={mailed.formState.isSubmitting} className="min-h-12">
            {text(isMailed ? 'confirm.useCode' : 'confirm.sendCode')}
          </Button>
        </form>
      )}
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
    </>
  );
}
