import { headOf } from '../features/chrome/head.ts';
import { Dashboard } from '../features/earnings/dashboard.tsx';
import { EarningPage } from '../features/earnings/earning-page.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/earning-dashboard';

await Promise.all([loadPart('earnings'), loadPart('payout')]);

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('dashboard.pageTitle'),
    description: i18n._('dashboard.logIn'),
    site,
    path: '/EarningDashboard',
    personal: true,
  });
}

/** The coins of this month (specification §2). */
export default function EarningDashboard() {
  const text = useText();
  return (
    <EarningPage title={text('dashboard.title')} why={text('dashboard.logIn')}>
      {({ id }) => <Dashboard userId={id} />}
    </EarningPage>
  );
}
