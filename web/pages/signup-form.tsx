import { Link } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { AccountPanel } from '../features/session/account-panel.tsx';
import { SignUpForm } from '../features/session/sign-up-form.tsx';
import { useWayBack } from '../features/session/way-back.tsx';
import { i18nOf } from '../messages/catalogues.ts';
import { T, useText } from '../text.tsx';
import type { Route } from './+types/signup-form';

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  const description = i18n._('account.signUp.lead');
  return headOf({
    title: i18n._('account.signUp.pageTitle'),
    description,
    site,
    path: '/SignupForm',
    personal: true,
  });
}

export default function SignupForm() {
  const text = useText();
  const wayBack = useWayBack();
  return (
    <AccountPanel title={text('account.signUp')} lead={text('account.signUp.lead')}>
      <SignUpForm />
      <p className="text-soft">
        <T
          id="account.haveAccount"
          parts={{ a: <Link to="/LoginEmail" state={wayBack} className="text-link" /> }}
        />
      </p>
    </AccountPanel>
  );
}
