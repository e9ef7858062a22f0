import { Link } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { AccountPanel } from '../features/session/account-panel.tsx';
import { i18nOf } from '../messages/catalogues.ts';
import { T, useText } from '../text.tsx';
import { Button, buttonLook } from '../ui/button.tsx';
import type { Route } from './+types/login-google';

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

/** Ways to log in. Google's needs a client id that this site has not been given. */
export default function LoginGoogle() {
  const text = useText();
  return (
    <AccountPanel title={text('account.login')} lead={text('account.login.lead')}>
      <div className="grid gap-3">
        <Button disabled aria-describedby="google-state" className="min-h-12">
          {text('account.google')}
        </Button>
        <p id="google-state" className="mb-2 text-[0.9375rem] leading-snug text-soft">
          {text('account.googleMissing')}
        </p>
        <Link to="/LoginEmail" className={buttonLook('primary', 'min-h-12')}>
          {text('account.withEmail')}
        </Link>
      </div>
      <p className="text-soft">
        <T id="account.noAccount" parts={{ a: <Link to="/SignupForm" className="text-link" /> }} />
      </p>
    </AccountPanel>
  );
}
