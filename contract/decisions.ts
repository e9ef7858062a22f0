import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, requiredText, time } from './fields.ts';
import { invalid } from './invalid.ts';
import { limits } from './limits.ts';
import { reportKinds } from './reports.ts';
import { siteRuleNames } from './site-rules.ts';

/*
 * What operators decided against a person by a rule of the site, for that person. Its id is random and enough to
 * read it, by the link of the mail, since a suspended person cannot log in. It names no operator and nobody who reported.
 */

const tag = 'Reports';

/** What was done: this one work was hidden, or all that look like it too; the account was suspended; or the work got a label. */
export const decisionActs = ['copy', 'content', 'suspend', 'label'] as const;
export type DecisionAct = (typeof decisionActs)[number];

/** The answer to an appeal: the decision stays, or it is undone. */
export const appealAnswers = ['upheld', 'reversed'] as const;
export type AppealAnswer = (typeof appealAnswers)[number];

const decision = z.object({
  _id: id,
  /** What it is about, and its text as it was: a caption, a comment, or the name of the account. */
  kind: z.enum(reportKinds),
  words: z.string(),
  rule: z.enum(siteRuleNames),
  act: z.enum(decisionActs),
  /** When a suspension ends; null: it has no end, or is none. */
  until: time.nullable(),
  /** In the words of the operator. */
  reason: z.string(),
  decidedAt: time,
  /** When it was undone, or the suspension ended; null while it is in force. */
  endedAt: time.nullable(),
  /** When the person appealed, once; null before. */
  appealedAt: time.nullable(),
  answer: z.enum(appealAnswers).nullable(),
  answerReason: z.string().nullable(),
  /** There is no operator but the one who decided, who answers an appeal too. */
  isAlone: z.boolean(),
  /** The address of the grievance officer; empty if the site names none. */
  grievanceEmail: z.string(),
});
export type Decision = z.infer<typeof decision>;

export const getDecision = endpoint({
  method: 'GET',
  path: '/api/decision/:id',
  summary:
    'What was decided about your work or account, by which rule, and for how long; for whoever has its random id, from the notification or the mail',
  tag,
  access: 'anyone',
  limit: { perNetwork: 600 },
  params: z.object({ id }),
  response: ok({ data: decision }),
  errors: ['not_found'],
});

export const appeal = endpoint({
  method: 'POST',
  path: '/api/decision/appeal/:id',
  summary:
    'Appeal against a decision, once: operators read it, another one than who decided if there is one. Sent again, it stores nothing more',
  tag,
  access: 'anyone',
  limit: { perNetwork: 60 },
  params: z.object({ id }),
  body: z.object({ text: requiredText(limits.message, invalid('appeal')) }),
  response: ok({ data: z.object({ appealedAt: time }) }),
  errors: ['not_found', 'decision_over'],
});
