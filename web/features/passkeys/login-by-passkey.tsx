import { useNavigate } from 'react-router';
import { beginPasskeyLogin, loginPasskey } from '#contract/passkeys.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { beginSession } from '../session/session.ts';
import { useWayBack } from '../session/way-back.tsx';
import { PasskeyButton } from './passkey-button.tsx';

/** The person chooses one of this site's passkeys on their device; success leads to /UserProfile, as with the other ways to log in. */
export function LoginByPasskey() {
  const text = useText();
  const navigate = useNavigate();
  const wayBack = useWayBack();
  async function run() {
    const { askPasskey } = await import('./authenticator.ts');
    const { options } = await call(beginPasskeyLogin);
    const { user, data } = await call(loginPasskey, { body: { credential: await askPasskey(options) } });
    await beginSession(user, data);
    await navigate('/UserProfile', { state: wayBack });
  }
  return <PasskeyButton words={text('passkey.logIn')} run={run} />;
}
