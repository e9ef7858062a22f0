import { headOf } from '../features/chrome/head.ts';
import { ActivityFigures } from '../features/earnings/activity.tsx';
import { ActivityGuide } from '../features/earnings/activity-guide.tsx';
import { EarningPage } from '../features/earnings/earning-page.tsx';
import { i18nOf } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/earning-activity';

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

/** What is earned by activity in the app, and this month's of it (specification §2, §9). */
export default function EarningActivity() {
  const text = useText();
  return (
    <EarningPage title={text('earnActivity.title')} why={text('earnActivity.logIn')}>
      {({ id }) => (
        <>
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
          <ActivityFigures userId={id} />
          <ActivityGuide />
        </>
      )}
    </EarningPage>
  );
}
