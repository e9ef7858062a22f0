import { headOf } from '../features/chrome/head.ts';
import { fetchedPart } from '../features/offline/fetched-part.tsx';
import { SignedInOnly } from '../features/session/signed-in-only.tsx';
import { useSession } from '../features/session/use-session.ts';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import type { Route } from './+types/settings';

await Promise.all([loadPart('settings'), loadPart('profile'), loadPart('confirm')]);

const TastePart = fetchedPart(() => import('../features/taste/taste-part.tsx'));

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
  const { user } = useSession();
  const hydrated = useHydrated();
  return (
    <div className="mx-auto min-h-svh w-full max-w-column px-3 py-6 sm:py-8">
      <SignedInOnly title={text('settings.title')} why={text('settings.logIn')}>
        {(user) => <SettingsPage user={user} />}
      </SignedInOnly>
      {hydrated && !user && <TastePart />}
    </div>
  );
}
