import { headOf } from '../features/chrome/head.ts';
import { SignedInOnly } from '../features/session/signed-in-only.tsx';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/settings';

await Promise.all([loadPart('settings'), loadPart('profile'), loadPart('confirm')]);

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('settings.pageTitle'),
    description: i18n._('settings.logIn'),
    site,
    path: '/Settings',
    personal: true,
  });
}

export default function Settings() {
  const text = useText();
  return (
    <div className="mx-auto min-h-svh w-full max-w-column px-3 py-6 sm:py-8">
      <SignedInOnly title={text('settings.title')} why={text('settings.logIn')}>
        {(user) => <SettingsPage user={user} />}
      </SignedInOnly>
    </div>
  );
}
