import { reasonAtMost, suspendPerson } from '#contract/operators.ts';
import type { SiteRule } from '#contract/site-rules.ts';
import { call } from '#web/api.ts';
import type { ActForm } from './act-dialog.tsx';

/** Days of a suspension that the dialog offers; it can also have no end. */
const terms = [7, 30, 90] as const;

/** The dialog that suspends a person by a rule of the site; `rule` is chosen at first. Who is suspended for days can only be without an end. */
export const suspension = (
  id: string,
  rule: SiteRule | '',
  { isLonger = false }: { isLonger?: boolean } = {},
): ActForm => ({
  title: 'console.act.suspend',
  says: 'console.act.suspend.says',
  rule,
  reason: { label: 'console.reasonForOwner', most: reasonAtMost },
  isDangerous: true,
  choices: {
    label: 'console.term',
    options: [
      ...(isLonger ? [] : terms).map((days) => ({
        value: `${days}`,
        label: `console.term.${days}` as const,
      })),
      { value: '', label: 'console.term.none' },
    ],
  },
  run: ({ rule, reason, choice }) => {
    const body = { rule, reason, ...(choice ? { days: Number(choice) } : {}) };
    return call(suspendPerson, { params: { id }, body });
  },
});
