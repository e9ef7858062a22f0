import { Link } from 'react-router';
import type { DecisionOfCase } from '#contract/cases.ts';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { Rule } from '../reports/rule.tsx';
import { useAddress } from './use-address.ts';

/** What was decided in a case, with its appeal, or what a case is the appeal against. */
export function Decided({ id, decision }: { id: string; decision: DecisionOfCase }) {
  const text = useText();
  const { withChange } = useAddress();
  const { rule, act, until, reason, by, decidedAt, caseId, appealId, answer, answerReason } = decision;
  const other = caseId === id ? appealId : caseId;
  return (
    <section className="grid gap-2">
      <h3 className="text-lg">{text('console.decision')}</h3>
      <p className="text-[0.9375rem] text-soft">
        {by && (
          <>
            <span className="font-semibold text-text">{by}</span> ·{' '}
          </>
        )}
        {until ? text('console.decision.until', { until: new Date(until) }) : text(`console.decision.${act}`)}{' '}
        · <TimeAgo at={decidedAt} />
      </p>
      <Rule rule={rule} />
      <p dir="auto" className="whitespace-pre-wrap">
        {reason}
      </p>
      {answer && (
        <p dir="auto" className="whitespace-pre-wrap">
          <span className="font-semibold">{text(`console.answer.${answer}`)}</span> {answerReason}
        </p>
      )}
      {other && (
        <Link to={withChange({ case: other })} className="justify-self-start text-link">
          {text(other === caseId ? 'console.decision.toCase' : 'console.decision.toAppeal')}
        </Link>
      )}
    </section>
  );
}
