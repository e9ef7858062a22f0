import { headOf } from '../features/chrome/head.ts';
import { EarningPage } from '../features/earnings/earning-page.tsx';
import { History } from '../features/earnings/history.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/earning-history';

await Promise.all([loadPart('earnings'), loadPart('payout')]);

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('history.pageTitle'),
    description: i18n._('history.logIn'),
    site,
    path: '/EarningHistory',
    personal: true,
  });
}

/** All months and their withdrawals (specification §2, §4). */
export default function EarningHistory() {
  const text = useText();
  return (
    <EarningPage title={text('history.title')} why={text('history.logIn')}>
      {({ id, name }) => <History userId={id} userName={name} />}
    </EarningPage>
  );
}
