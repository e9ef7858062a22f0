import { useNavigate } from 'react-router';
import { loginGoogle } from '#contract/identity.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { useSite } from '../chrome/use-site.ts';
import { GoogleButton } from './google-button.tsx';
import { languageOf } from './language.ts';
import { beginSession } from './session.ts';
import { useGoogle } from './use-google.ts';
import { useWayBack } from './way-back.tsx';

/**
 * The button for Google login, disabled if the site is not set up for it. Success leads to /UserProfile
 * (specification §4).
 */
export function LoginByGoogle() {
  const text = useText();
  const navigate = useNavigate();
  const wayBack = useWayBack();
  const { google, lang } = useSite();
  const { begin, busy, problem } = useGoogle(async (idToken) => {
    const { user, token } = await call(loginGoogle, { body: { idToken, language: languageOf(lang) } });
    await beginSession(user, token);
    await navigate('/UserProfile', { state: wayBack });
  }, text('account.googleFailed'));

  if (!google)
    return (
      <>
        <GoogleButton words={text('account.google')} disabled aria-describedby="google-state" />
        <p id="google-state" className="mb-2 text-[0.9375rem] leading-snug text-soft">
          {text('account.googleMissing')}
        </p>
      </>
    );
  return (
    <>
      <FormError message={problem} />
      <GoogleButton
        words={text(busy ? 'account.googleWaiting' : 'account.google')}
        busy={busy}
        onClick={begin}
      />
    </>
  );
}
