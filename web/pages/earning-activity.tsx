import { Link } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { ActivityFigures } from '../features/earnings/activity.tsx';
import { ActivityGuide } from '../features/earnings/activity-guide.tsx';
import { OpenEarningPage } from '../features/earnings/earning-page.tsx';
import { useSession } from '../features/session/use-session.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import type { Route } from './+types/earning-activity';

await loadPart('earnings');

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('earnActivity.pageTitle'),
    description: i18n._('earnActivity.logIn'),
    site,
    path: '/EarningActivity',
    personal: true,
  });
}

/** How activity in the app earns, and this month's figures for signed-in people (specification §2, §9). */
export default function EarningActivity() {
  const text = useText();
  return (
    <OpenEarningPage title={text('earnActivity.title')}>
      <div className="lit-night relative mt-4 aspect-[5/3] overflow-hidden rounded-panel">
        <img
          src="/earnings/activity.svg"
          alt=""
          width={600}
          height={360}
          className="absolute inset-0 size-full object-cover"
        />
        <p className="absolute left-5 top-5 max-w-[45%] text-xl font-bold leading-tight text-night-text sm:left-7 sm:top-7 sm:text-[1.75rem]">
          {text('earnActivity.banner')}
        </p>
      </div>
      <Own />
      <ActivityGuide />
    </OpenEarningPage>
  );
}

/**
 * A class set before the first paint selects one of two variants, so that nothing moves when the session is known.
 */
function Own() {
  const text = useText();
  const { user } = useSession();
  const hydrated = useHydrated();
  return (
    <>
      {(!hydrated || user?._id) && (
        <div className="hidden signed-in:block">
          <ActivityFigures userId={(hydrated && user?._id) || ''} />
        </div>
      )}
      {(!hydrated || !user) && (
        <section className="mt-6 grid justify-items-start gap-3 rounded-panel border border-line bg-surface px-5 py-5 signed-in:hidden">
          <p className="text-pretty">{text('earnActivity.logIn')}</p>
          <Link to="/LoginGoogle" className={buttonLook('primary')}>
            {text('account.login')}
          </Link>
        </section>
      )}
    </>
  );
}
