import { headOf } from '../features/chrome/head.ts';
import { NotificationList } from '../features/notifications/notification-list.tsx';
import { SignedInOnly } from '../features/session/signed-in-only.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/activity';

await loadPart('activity');

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('activity.pageTitle'),
    description: i18n._('activity.logIn'),
    site,
    path: '/Activity',
    personal: true,
  });
}

/** The notifications of the signed-in person (specification §2). */
export default function Activity() {
  const text = useText();
  return (
    <div className="mx-auto min-h-svh w-full max-w-column px-3 py-6 sm:py-8">
      <SignedInOnly title={text('activity.title')} why={text('activity.logIn')} shape="rows">
        {(user) => (
          <>
            <h1 className="px-3 text-3xl sm:text-4xl">{text('activity.title')}</h1>
            {user._id && <NotificationList userId={user._id} />}
          </>
        )}
      </SignedInOnly>
    </div>
  );
}
