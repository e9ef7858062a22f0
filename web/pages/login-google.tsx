import { Link } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { useSite } from '../features/chrome/use-site.ts';
import { LoginByPasskey } from '../features/passkeys/login-by-passkey.tsx';
import { AccountPanel } from '../features/session/account-panel.tsx';
import { useInAppBrowser } from '../features/session/in-app-browser.ts';
import { LinkGoogle } from '../features/session/link-google.tsx';
import { LoginByGoogle } from '../features/session/login-by-google.tsx';
import { useSession } from '../features/session/use-session.ts';
import { useWayBack } from '../features/session/way-back.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { T, useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { NeedsScript } from '../ui/needs-script.tsx';
import type { Route } from './+types/login-google';

await Promise.all([loadPart('account'), loadPart('confirm')]);

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  const description = i18n._('account.login.lead');
  return headOf({
    title: i18n._('account.login.pageTitle'),
    description,
    site,
    path: '/LoginGoogle',
    personal: true,
  });
}

/** The ways to log in. Signed-in people can link Google to their account. */
export default function LoginGoogle() {
  const text = useText();
  const wayBack = useWayBack();
  const { user } = useSession();
  const { google } = useSite();
  const isInApp = useInAppBrowser();
  return (
    <AccountPanel
      title={text('account.login')}
      lead={text('account.login.lead')}
      welcome={google && user?._id && <LinkGoogle userId={user._id} />}
    >
      <NeedsScript>{text('account.login.needsScript')}</NeedsScript>
      <div className="grid gap-3 needs-script">
        {!isInApp && <LoginByGoogle />}
        <Link to="/LoginEmail" state={wayBack} className={buttonLook('primary', 'min-h-12')}>
          {text('account.withEmail')}
        </Link>
        <LoginByPasskey />
        {isInApp && <LoginByGoogle />}
      </div>
      <p className="text-soft">
        <T
          id="account.noAccount"
          parts={{ a: <Link to="/SignupForm" state={wayBack} className="text-link" /> }}
        />
      </p>
    </AccountPanel>
  );
}
