import { Link } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { useSite } from '../features/chrome/use-site.ts';
import { AccountPanel } from '../features/session/account-panel.tsx';
import { ForgotPasswordForm } from '../features/session/forgot-password-form.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { T, useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { NeedsScript } from '../ui/needs-script.tsx';
import type { Route } from './+types/forgot-password';

await loadPart('account');

const leadOf = ({ mail }: { mail: boolean }) => (mail ? 'account.forgot.lead' : 'account.forgot.noMail');

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('account.forgot.pageTitle'),
    description: i18n._(leadOf(site)),
    site,
    path: '/ForgotPassword',
    personal: true,
  });
}

/** Also for signed-in people, who may have forgotten the password too. */
export default function ForgotPassword() {
  const text = useText();
  const { mail } = useSite();
  return (
    <AccountPanel isForAll title={text('account.forgot')} lead={text(leadOf({ mail }))}>
      {mail ? (
        <>
          <NeedsScript>{text('account.forgot.needsScript')}</NeedsScript>
          <ForgotPasswordForm />
        </>
      ) : (
        <Link to="/Contact" className={buttonLook('primary', 'min-h-12')}>
          {text('nav.contact')}
        </Link>
      )}
      <p className="text-soft">
        <T id="account.forgot.remembered" parts={{ a: <Link to="/LoginEmail" className="text-link" /> }} />
      </p>
    </AccountPanel>
  );
}
