import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, text } from './fields.ts';
import { limits } from './limits.ts';
import { invalid } from './rules.ts';

export const reportKinds = ['reel', 'post', 'story', 'comment', 'person'] as const;
export type ReportKind = (typeof reportKinds)[number];

export const reportReasons = [
  'sexual',
  'violence',
  'hate',
  'harassment',
  'child_safety',
  'copied',
  'spam',
  'other',
] as const;

export const report = endpoint({
  method: 'POST',
  path: '/api/report',
  summary: 'Report content that violates the policy to the operators; idempotent',
  tag: 'Reports',
  access: 'person',
  limit: { perPerson: 20, perDay: 'reports' },
  body: z.object({
    kind: z.enum(reportKinds, { error: invalid('report_kind', { kinds: reportKinds.join(', ') }) }),
    id,
    reason: z.enum(reportReasons, { error: invalid('report_reason', { reasons: reportReasons.join(', ') }) }),
    text: text(limits.message).default(''),
  }),
  response: ok({ message: z.string() }),
  errors: ['not_found', 'invalid_input'],
});
