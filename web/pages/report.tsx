import { Check } from 'lucide-react';
import { data, isRouteErrorResponse, Link } from 'react-router';
import { type Decision, getDecision } from '#contract/decisions.ts';
import { getReport, type ReportOutcome, type ReportState, reportStates } from '#contract/reports.ts';
import { retention } from '#contract/retention.ts';
import { call } from '../api.ts';
import { headOf } from '../features/chrome/head.ts';
import { DecisionShown } from '../features/decision/decision-shown.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { or404 } from '../page-call.ts';
import { pageContext } from '../server-context.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { EmptyState } from '../ui/quiet-state.tsx';
import type { Route } from './+types/report';

await loadPart('reports');

/** A report, or a decision about a work or an account; a route of its own would add to the script of every page. */
type Loaded = ReportFound | Decision;
interface ReportFound {
  state: ReportState;
  outcome: ReportOutcome | null;
}

/** The random id of a decision is a UUID; the number of a report has no dashes. */
const isDecision = ({ number }: { number: string }) => number.includes('-');

/** Whoever has the number reads the page, so no cache keeps it. */
export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders;

export async function loader({ params, context }: Route.LoaderArgs) {
  const { call: ask } = context.get(pageContext);
  const found = isDecision(params)
    ? await or404(ask(getDecision, { params: { id: params.number } }))
    : await or404(ask(getReport, { params }));
  return data<Loaded>(found.data, { headers: { 'cache-control': 'no-store' } });
}

export async function clientLoader({ params, request: { signal } }: Route.ClientLoaderArgs): Promise<Loaded> {
  if (isDecision(params))
    return (await or404(call(getDecision, { params: { id: params.number } }, { signal }))).data;
  return (await or404(call(getReport, { params }, { signal }))).data;
}

export function meta({ matches, loaderData, params }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  const isOfDecision = isDecision(params);
  if (!loaderData)
    return [{ title: i18n._(isOfDecision ? 'decisionPage.none.pageTitle' : 'reportPage.none.pageTitle') }];
  return headOf({
    title: isOfDecision
      ? i18n._('decisionPage.pageTitle')
      : i18n._('reportPage.pageTitle', { number: params.number }),
    description: i18n._(isOfDecision ? 'decisionPage.description' : 'reportPage.description'),
    site,
    path: `/report/${params.number}`,
    personal: true,
  });
}

/** How far a report is and what came of it, or a decision (decisions §3): no more, since whoever has its number reads this. */
export default function ReportPage({ loaderData, params }: Route.ComponentProps) {
  return 'rule' in loaderData ? (
    <DecisionShown decision={loaderData} />
  ) : (
    <ReportShown {...loaderData} number={params.number} />
  );
}

function ReportShown({ state, outcome, number }: ReportFound & { number: string }) {
  const text = useText();
  return (
    <div className="wrap-page min-h-[60dvh] max-w-column py-6 sm:py-10">
      <h1 className="text-3xl sm:text-4xl">{text('reportPage.title')}</h1>
      <p className="figures mt-2 text-soft">{number}</p>
      <ol className="mt-8 grid">
        {reportStates.map((one) => (
          <Step key={one} step={one} state={state} outcome={outcome} />
        ))}
      </ol>
      <p className="mt-8 text-[0.9375rem] text-soft">{text('reportPage.private')}</p>
    </div>
  );
}

interface StepProps {
  step: ReportState;
  state: ReportState;
  outcome: ReportOutcome | null;
}

function Step({ step, state, outcome }: StepProps) {
  const text = useText();
  const [place, reached] = [reportStates.indexOf(step), reportStates.indexOf(state)];
  const isReached = place <= reached;
  return (
    <li aria-current={place === reached ? 'step' : undefined} className="grid grid-cols-[2rem_1fr] gap-x-4">
      <span className="grid grid-rows-[2rem_1fr] justify-items-center">
        <span
          className={classNames(
            'grid size-8 place-items-center rounded-full border-2',
            isReached ? 'border-accent bg-accent text-on-accent' : 'border-line-strong text-soft',
          )}
        >
          {isReached && <Check aria-hidden className="size-4.5" />}
        </span>
        {step !== 'decided' && (
          <span className={classNames('w-0.5', place < reached ? 'bg-accent' : 'bg-line')} />
        )}
      </span>
      <div className={classNames('pb-6 pt-0.5', !isReached && 'text-soft')}>
        <h2 className="text-xl">{text(`reportPage.${step}`)}</h2>
        {place === reached && (
          <p className="mt-1">
            {text(outcome ? `reportPage.outcome.${outcome}` : `reportPage.${step}.text`)}
          </p>
        )}
      </div>
    </li>
  );
}

/** There is no report with this number, or not any more. Other errors are shown by the root. */
export function ErrorBoundary({ error, params }: Route.ErrorBoundaryProps) {
  const text = useText();
  const none = isDecision({ number: params.number ?? '' }) ? 'decisionPage.none' : 'reportPage.none';
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <title>{text(`${none}.pageTitle`)}</title>
      <EmptyState
        drawing="report"
        wholePage
        title={text(`${none}.title`)}
        text={text(`${none}.text`, retention)}
        action={
          <Link to="/Contact" className={buttonLook('primary')}>
            {text(`${none}.action`)}
          </Link>
        }
      />
    </div>
  );
}
