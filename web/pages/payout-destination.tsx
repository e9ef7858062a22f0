import { headOf } from '../features/chrome/head.ts';
import { EarningPage } from '../features/earnings/earning-page.tsx';
import { DestinationPanel } from '../features/payouts/destination-panel.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/payout-destination';

await loadPart('payout');

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('payout.pageTitle'),
    description: i18n._('payout.logIn'),
    site,
    path: '/PayoutDestination',
    personal: true,
  });
}

/** The page to enter where one's earnings are paid. */
export default function PayoutDestination() {
  const text = useText();
  return (
    <EarningPage title={text('payout.title')} why={text('payout.logIn')}>
      {({ id }) => (
        <div className="mt-5">
          <DestinationPanel userId={id} />
        </div>
      )}
    </EarningPage>
  );
}
