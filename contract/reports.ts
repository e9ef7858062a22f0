import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, text } from './fields.ts';
import { invalid } from './invalid.ts';
import { limits } from './limits.ts';

export const reportKinds = ['reel', 'post', 'story', 'comment', 'person'] as const;
export type ReportKind = (typeof reportKinds)[number];

export const reportReasons = [
  'sexual',
  'intimate',
  'violence',
  'hate',
  'harassment',
  'child_safety',
  'copied',
  'spam',
  'other',
] as const;

/** The number of a report: 128 random bits in hex, upper or lower case. Anyone who has it can read the state of the report. */
export const reportNumber = z
  .string()
  .regex(/^[\da-fA-F]{32}$/)
  .toLowerCase();

/** The states of a report, in their order. */
export const reportStates = ['received', 'in_work', 'decided'] as const;
export type ReportState = (typeof reportStates)[number];

/** What was decided: the site acted on it, or no rule is broken. Why is not said (decisions §3). */
const reportOutcome = z.enum(['acted', 'none']);
export type ReportOutcome = z.infer<typeof reportOutcome>;

export const report = endpoint({
  method: 'POST',
  path: '/api/report',
  summary:
    'Report content or a person that violates the policy to the operators, with or without a login. The answer has its number, for `GET /api/report/{number}`. A request with the same number stores no second report, and a signed-in person who reports the same again before it is decided gets the first number',
  tag: 'Reports',
  access: 'known',
  limit: { perPerson: 20, perNetwork: 300, perDay: 'reports' },
  body: z.object({
    kind: z.enum(reportKinds, { error: invalid('report_kind', { kinds: reportKinds.join(', ') }) }),
    id,
    reason: z.enum(reportReasons, { error: invalid('report_reason', { reasons: reportReasons.join(', ') }) }),
    text: text(limits.message).default(''),
    number: reportNumber
      .optional()
      .describe(
        'Chosen at random by the client, so that it can send the report again; by the server if missing',
      ),
    contact: text(limits.reportContact)
      .trim()
      .default('')
      .describe('How a visitor wants to be answered; ignored for a signed-in person'),
  }),
  response: ok({ message: z.string(), number: reportNumber }),
  errors: ['not_found', 'invalid_input', 'sent_before'],
});

export const getReport = endpoint({
  method: 'GET',
  path: '/api/report/:number',
  summary:
    'How far a report is and what came of it, for whoever has its number; never who has sent it or whom it is about',
  tag: 'Reports',
  access: 'anyone',
  limit: { perNetwork: 600 },
  params: z.object({ number: reportNumber }),
  response: ok({
    data: z.object({
      state: z.enum(reportStates),
      /** Null before it is decided, and for what earlier versions decided. */
      outcome: reportOutcome.nullable(),
    }),
  }),
  errors: ['not_found'],
});
