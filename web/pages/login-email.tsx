import { Link, useLocation } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { FormSent } from '../features/form-posts/form-sent.tsx';
import { LoginByPasskey } from '../features/passkeys/login-by-passkey.tsx';
import { AccountPanel } from '../features/session/account-panel.tsx';
import { LoginForm } from '../features/session/login-form.tsx';
import { useWayBack } from '../features/session/way-back.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { T, useText } from '../text.tsx';
import { NeedsScript } from '../ui/needs-script.tsx';
import type { Route } from './+types/login-email';

await Promise.all([loadPart('account'), loadPart('confirm')]);

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  const description = i18n._('account.login.lead');
  return headOf({
    title: i18n._('account.login.pageTitle'),
    description,
    site,
    path: '/LoginEmail',
    personal: true,
  });
}

export default function LoginEmail() {
  const text = useText();
  const { state } = useLocation();
  const wayBack = useWayBack();
  return (
    <AccountPanel title={text('account.login')} lead={text('account.login.lead')}>
      <FormSent id="created">{text('account.created')}</FormSent>
      <NeedsScript>{text('account.login.needsScript')}</NeedsScript>
      <LoginForm email={typeof state?.email === 'string' ? state.email : ''} />
      <div className="grid gap-3 needs-script">
        <LoginByPasskey />
      </div>
      <p>
        <Link to="/ForgotPassword" className="text-link">
          {text('account.forgot')}
        </Link>
      </p>
      <p className="text-soft">{text('account.passwordInApp')}</p>
      <p className="text-soft">
        <T
          id="account.noAccount"
          parts={{ a: <Link to="/SignupForm" state={wayBack} className="text-link" /> }}
        />
      </p>
    </AccountPanel>
  );
}
