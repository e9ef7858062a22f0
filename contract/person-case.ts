import { z } from 'zod';
import { listedCase } from './cases.ts';
import { withdrawal } from './earnings.ts';
import { endpoint, ok } from './endpoint.ts';
import { id, time } from './fields.ts';
import { loggedAct, personForOperators } from './operators.ts';
import { maskedDestination } from './payouts.ts';
import { countedTo } from './today.ts';
import { earnedMonth, sharing } from './withdrawal-case.ts';

const tag = 'Operators';
const byId = z.object({ id });

/** How many cases a person is shown with at most, of each kind. */
export const shownCases = 24;

const casesOf = z.object({
  /** Whatever is more than `countedTo` is one more than that. */
  count: z.int().max(countedTo + 1),
  /** The newest of them. */
  cases: z.array(listedCase),
});
export type CasesOf = z.infer<typeof casesOf>;

const personCase = personForOperators.extend({
  emailVerifiedAt: time.nullable(),
  /** When a suspension ends by itself; null for one without an end, and without one. */
  suspendedUntil: time.nullable(),
  followerCount: z.int(),
  /** Cases that they have reported, without those about the operator who asks; null for who may not read cases. */
  reported: casesOf
    .extend({
      /** Number of open cases that only this person has reported: muting can dismiss them. Capped like `count`. */
      dismissible: z.int(),
    })
    .nullable(),
  /** Cases about them, their works and their comments; null for who may not read cases. */
  about: casesOf.nullable(),
  /** Null for who may not read withdrawals. */
  money: z
    .object({
      /** Where they are paid, masked. */
      destination: maskedDestination.nullable(),
      /** Other accounts that are paid at the same destination now. */
      sharing,
      /** Their newest months and withdrawals, newest first. */
      months: z.array(earnedMonth),
      withdrawals: z.array(withdrawal),
    })
    .nullable(),
  /** The newest acts of operators on them, and on the cases and withdrawals shown here. */
  history: z.array(loggedAct),
});
export type PersonCase = z.infer<typeof personCase>;

export const showPerson = endpoint({
  method: 'GET',
  path: '/api/operator/people/:id',
  summary:
    'A person and what operators did; with the cases that they have reported and that are about them for moderators, and with months, withdrawals and accounts with the same payout destination for payers',
  tag,
  access: 'operator',
  role: 'any',
  limit: { perPerson: 600 },
  params: byId,
  response: ok({ data: personCase }),
  errors: ['not_found'],
});

export const makeResetLink = endpoint({
  method: 'POST',
  path: '/api/operator/people/reset-link/:id',
  summary:
    'Make a link by which somebody chooses a new password, good once, for an hour: it ends all sessions and changes that wait; the person is told. Not for operators',
  tag,
  access: 'operator',
  role: 'administrator',
  limit: { perPerson: 60 },
  params: byId,
  response: ok({
    /** Path and secret; behind the address of the site. */
    link: z.string(),
  }),
  errors: ['not_found', 'is_operator', 'person_suspended', 'confirmation_required'],
});
