import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { time } from './fields.ts';
import type { OperatorRole } from './roles.ts';

/**
 * What waits for operators: undecided cases; works that are hidden until a decision; works whose creator says that they are no copy;
 * suspensions and void views that a second operator approves; withdrawals; batches that were not sent; reels that could not be processed; an audit that found a difference or did not run; a backup
 * that is old.
 */
export const dueKinds = [
  'reports',
  'held',
  'copies',
  'suspensions',
  'voids',
  'withdrawals',
  'batches',
  'media',
  'audit',
  'backup',
] as const;
export type DueKind = (typeof dueKinds)[number];

/** Whose work it is. */
export const roleOfDue: Readonly<Record<DueKind, OperatorRole>> = {
  reports: 'moderator',
  held: 'moderator',
  copies: 'moderator',
  suspensions: 'moderator',
  voids: 'payer',
  withdrawals: 'payer',
  batches: 'payer',
  media: 'moderator',
  audit: 'payer',
  backup: 'administrator',
};

/** Counts stop here: whatever is more is `countedTo + 1`. */
export const countedTo = 1000;

const due = z.object({
  what: z.enum(dueKinds),
  count: z.int(),
  /** The deadline of the first one where there is one, otherwise since when the oldest waits; null: it was never done. */
  at: time.nullable(),
  hasDeadline: z.boolean(),
});
export type Due = z.infer<typeof due>;

export const getToday = endpoint({
  method: 'GET',
  path: '/api/operator/today',
  summary: `What waits for an operator of your role: what has a deadline first, then the oldest. Counts stop at ${countedTo}`,
  tag: 'Operators',
  access: 'operator',
  role: 'any',
  limit: { perPerson: 600 },
  response: ok({ data: z.array(due) }),
});
