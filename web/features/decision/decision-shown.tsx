import type { ReactNode } from 'react';
import type { Decision } from '#contract/decisions.ts';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { Rule } from '../reports/rule.tsx';
import { languageOf } from '../words/language-of.ts';
import { Appeal } from './appeal.tsx';

/** What was done, by which rule, for how long and why; never by whom, nor who reported it. */
export function DecisionShown({ decision }: { decision: Decision }) {
  const text = useText();
  const { kind, words, rule, act, until, reason, decidedAt, endedAt } = decision;
  return (
    <div className="wrap-page grid min-h-[60dvh] max-w-column content-start gap-7 py-6 sm:py-10">
      <header className="grid gap-2">
        <h1 className="text-3xl sm:text-4xl">{text(`decisionPage.title.${act === 'label' ? act : kind}`)}</h1>
        <p className="text-soft">
          {text('decisionPage.at')} <TimeAgo at={decidedAt} />
        </p>
        {words && (
          <p dir="auto" lang={languageOf(words)} className="mt-1 line-clamp-4 whitespace-pre-wrap">
            {words}
          </p>
        )}
      </header>
      <Section title={text('decisionPage.rule')}>
        <Rule rule={rule} />
      </Section>
      <Section title={text('decisionPage.happened')}>
        {endedAt ? (
          <p className="font-semibold">{text('decisionPage.ended')}</p>
        ) : (
          <>
            <p>{text(`decisionPage.act.${kind === 'comment' ? kind : act}`)}</p>
            {act === 'suspend' && (
              <p className="mt-1 font-semibold">
                {until
                  ? text('decisionPage.until', { until: new Date(until) })
                  : text('decisionPage.for.good')}
              </p>
            )}
          </>
        )}
      </Section>
      <Section title={text('decisionPage.reason')}>
        <p dir="auto" lang={languageOf(reason)} className="whitespace-pre-wrap">
          {reason}
        </p>
      </Section>
      <Appeal decision={decision} />
      <p className="text-[0.9375rem] text-soft">{text('decisionPage.private')}</p>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-1 text-xl">{title}</h2>
      {children}
    </section>
  );
}
