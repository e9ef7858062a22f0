import { data, isRouteErrorResponse, Link } from 'react-router';
import { getDecision } from '#contract/decisions.ts';
import { retention } from '#contract/retention.ts';
import { call } from '../api.ts';
import { headOf } from '../features/chrome/head.ts';
import { DecisionShown } from '../features/decision/decision-shown.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { or404 } from '../page-call.ts';
import { pageContext } from '../server-context.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';
import type { Route } from './+types/decision';

await loadPart('decision');
await loadPart('rules');

/** Whoever has the link reads the page, so no cache keeps it. */
export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders;

export async function loader({ params, context }: Route.LoaderArgs) {
  const { data: decision } = await or404(context.get(pageContext).call(getDecision, { params }));
  return data(decision, { headers: { 'cache-control': 'no-store' } });
}

export async function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  return (await or404(call(getDecision, { params }, { signal: request.signal }))).data;
}

export function meta({ matches, loaderData, params }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  if (!loaderData) return [{ title: i18n._('decisionPage.none.pageTitle') }];
  return headOf({
    title: i18n._('decisionPage.pageTitle'),
    description: i18n._('decisionPage.description'),
    site,
    path: `/decision/${params.id}`,
    personal: true,
  });
}

/** What was decided about a work or an account, for its owner, who may be unable to log in (decisions §3). */
export default function DecisionPage({ loaderData }: Route.ComponentProps) {
  return <DecisionShown decision={loaderData} />;
}

/** There is no decision with this id, or not any more. Other errors are shown by the root. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const text = useText();
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <title>{text('decisionPage.none.pageTitle')}</title>
      <EmptyState
        drawing="report"
        wholePage
        title={text('decisionPage.none.title')}
        text={text('decisionPage.none.text', retention)}
        action={
          <Link to="/Contact" className={buttonLook('primary')}>
            {text('decisionPage.none.action')}
          </Link>
        }
      />
    </div>
  );
}
