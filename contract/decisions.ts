import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, time } from './fields.ts';
import { reportKinds } from './reports.ts';
import { siteRuleNames } from './site-rules.ts';

/*
 * What operators decided against a person by a rule of the site, for that person. Its id is random: whoever has the link of the mail reads
 * the decision, since a suspended person cannot log in. It names no operator and nobody who reported.
 */

const tag = 'Reports';

/** What was done: this one work was hidden, or all that look like it too, or the account was suspended. */
export const decisionActs = ['copy', 'content', 'suspend'] as const;
export type DecisionAct = (typeof decisionActs)[number];

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
