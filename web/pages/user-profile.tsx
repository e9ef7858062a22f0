import { headOf } from '../features/chrome/head.ts';
import { OwnHeader } from '../features/profile/own-header.tsx';
import { OwnReels } from '../features/profile/own-reels.tsx';
import { SignedInOnly } from '../features/session/signed-in-only.tsx';
import { i18nOf } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/user-profile';

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('profile.pageTitle'),
    description: i18n._('profile.logIn'),
    site,
    path: '/UserProfile',
    personal: true,
  });
}

export default function UserProfile() {
  const text = useText();
  return (
    <div className="wrap-page min-h-svh max-w-6xl py-6">
      <SignedInOnly title={text('profile.title')} why={text('profile.logIn')}>
        {(user) => (
          <>
            <OwnHeader user={user} />
            <h2 className="mb-4 mt-8 text-2xl">{text('profile.reels')}</h2>
            {user._id && <OwnReels userId={user._id} />}
          </>
        )}
      </SignedInOnly>
    </div>
  );
}
