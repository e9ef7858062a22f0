import { headOf } from '../features/chrome/head.ts';
import { EarningPage } from '../features/earnings/earning-page.tsx';
import { ReelEarnings } from '../features/earnings/reel-earnings.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/earning-reel';

await loadPart('earnings');

export function meta({ matches, params }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('reelEarnings.pageTitle'),
    description: i18n._('reelEarnings.logIn'),
    site,
    path: `/EarningHistory/reel/${params.id}`,
    personal: true,
  });
}

/** What one of the person's own reels earned by its views, and why others did not count (decisions §4). */
export default function EarningReel({ params: { id } }: Route.ComponentProps) {
  const text = useText();
  return (
    <EarningPage title={text('reelEarnings.title')} why={text('reelEarnings.logIn')}>
      {() => <ReelEarnings id={id} />}
    </EarningPage>
  );
}
