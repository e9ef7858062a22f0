import { useLocation } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { SignedInOnly } from '../features/session/signed-in-only.tsx';
import { VerifyEmailPanel } from '../features/session/verify-email-panel.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/verify-email';

await loadPart('account');

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('account.verify.pageTitle'),
    description: i18n._('account.verify.logIn'),
    site,
    path: '/VerifyEmail',
    personal: true,
  });
}

/** The page that requests a verification link, and that such a link opens. */
export default function VerifyEmail() {
  const text = useText();
  const { hash } = useLocation();
  return (
    <div className="wrap-page min-h-svh py-8 sm:py-14">
      <SignedInOnly title={text('account.verify')} why={text('account.verify.logIn')}>
        {(user) => <VerifyEmailPanel user={user} secret={hash.slice(1)} />}
      </SignedInOnly>
    </div>
  );
}
