import { headOf } from '../features/chrome/head.ts';
import { AccountPanel } from '../features/session/account-panel.tsx';
import { ResetPasswordForm } from '../features/session/reset-password-form.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import { NeedsScript } from '../ui/needs-script.tsx';
import type { Route } from './+types/reset-password';

await loadPart('account');

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('account.reset.pageTitle'),
    description: i18n._('account.reset.lead'),
    site,
    path: '/ResetPassword',
    personal: true,
  });
}

/** The page that the link in a mail opens. */
export default function ResetPassword() {
  const text = useText();
  return (
    <AccountPanel isForAll title={text('account.reset')} lead={text('account.reset.lead')}>
      <NeedsScript>{text('account.reset.needsScript')}</NeedsScript>
      <ResetPasswordForm />
    </AccountPanel>
  );
}
