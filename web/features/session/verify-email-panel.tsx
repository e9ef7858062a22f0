import { useState } from 'react';
import { Link } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import { sendVerification, verifyEmail } from '#contract/email.ts';
import { call } from '#web/api.ts';
import { T, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { useSite } from '../chrome/use-site.ts';
import { useSelf } from '../profile/use-self.ts';
import type { SessionUser } from './session.ts';

/** Verifies the address with the secret of a link, or requests such a link. */
export function VerifyEmailPanel({ user, secret }: { user: SessionUser; secret: string }) {
  const text = useText();
  const { mail } = useSite();
  const self = useSelf(user);
  const [state, setState] = useState<'idle' | 'busy' | 'sent' | 'done'>('idle');
  const [problem, setProblem] = useState('');
  const { email } = user;

  async function act(run: () => Promise<unknown>, next: 'done' | 'sent') {
    setState('busy');
    setProblem('');
    try {
      await run();
      setState(next);
    } catch (error) {
      setState('idle');
      setProblem(isApiError(error) && error.message ? error.message : text('account.failed'));
    }
  }
  const verify = async () => {
    await call(verifyEmail, { body: { token: secret } });
    await self.refetch();
  };

  return (
    <section className="mx-auto grid w-full max-w-md gap-6 rounded-panel border border-line bg-surface p-6 shadow-raised sm:p-8">
      <div className="grid gap-1.5">
        <h1 className="text-3xl">{text('account.verify')}</h1>
        <p role="status" className="text-pretty text-soft">
          {user.emailVerified && (!secret || state === 'done')
            ? text('account.verify.done', { email })
            : state === 'sent'
              ? text('account.verify.sent', { email })
              : text(secret ? 'account.verify.follow' : 'account.verify.lead', { email })}
        </p>
      </div>
      <FormError message={problem || undefined} />
      {secret && state !== 'done' && (
        <Button
          kind="primary"
          busy={state === 'busy'}
          className="min-h-12"
          onClick={() => act(verify, 'done')}
        >
          {text('account.verify.confirm')}
        </Button>
      )}
      {!user.emailVerified && mail && (
        <Button
          kind={secret ? 'secondary' : 'primary'}
          busy={state === 'busy'}
          className="min-h-12"
          onClick={() => act(() => call(sendVerification), 'sent')}
        >
          {text('account.verify.send')}
        </Button>
      )}
      {!mail && !user.emailVerified && (
        <p>
          <T id="account.forgot.noMail" parts={{ a: <Link to="/Contact" className="text-link" /> }} />
        </p>
      )}
    </section>
  );
}
