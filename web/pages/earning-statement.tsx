import { data } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { EarningPage } from '../features/earnings/earning-page.tsx';
import { asDate } from '../features/earnings/earnings.ts';
import { Statement } from '../features/earnings/statement.tsx';
import { formats } from '../message-formats.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/earning-statement';

await Promise.all([loadPart('earnings'), loadPart('payout')]);

/** Throws 404 if the parameter is not a month. */
function monthOr404(month: string) {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw data(null, { status: 404 });
  return { month };
}

export const loader = ({ params }: Route.LoaderArgs) => monthOr404(params.month);
export const clientLoader = ({ params }: Route.ClientLoaderArgs) => Promise.resolve(monthOr404(params.month));

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  if (!loaderData) return [{ title: i18n._('notFound.pageTitle') }];
  const { month } = loaderData;
  return headOf({
    title: i18n._('statement.pageTitle', { month: asDate(month) }, { formats }),
    description: i18n._('statement.logIn'),
    site,
    path: `/EarningHistory/${month}/statement`,
    personal: true,
  });
}

/** The earnings, withdrawals and payments of a month, to be printed or downloaded. */
export default function EarningStatement({ loaderData: { month } }: Route.ComponentProps) {
  const text = useText();
  return (
    <EarningPage title={text('statement.title')} why={text('statement.logIn')}>
      {({ id }) => <Statement userId={id} month={month} />}
    </EarningPage>
  );
}
