import { z } from 'zod';
import { monthState, type Withdrawal, withdrawal } from './earnings.ts';
import { endpoint, ok } from './endpoint.ts';
import { id } from './fields.ts';
import { loggedAct, withdrawalForReview } from './operators.ts';
import { countedTo } from './today.ts';

/** Waiting ones first. A list of its own: no script has the schemas of the contract. */
export const withdrawalStates = [
  'pending',
  'completed',
  'rejected',
] as const satisfies readonly Withdrawal['status'][];

/** A month of a creator, as operators see it. */
export const earnedMonth = z.object({
  /** `2026-10` */
  month: z.string(),
  coins: z.int(),
  paise: z.int(),
  state: monthState,
});
export type EarnedMonth = z.infer<typeof earnedMonth>;

/** Accounts with the same payout destination as another one. */
export const sharing = z.object({
  /** How many there are; whatever is more than `countedTo` is one more than that. */
  count: z.int().max(countedTo + 1),
  /** The first of them. */
  people: z.array(z.object({ _id: id, username: z.string() })),
});
export type Sharing = z.infer<typeof sharing>;

/** How many months, other withdrawals and other accounts a case shows at most. */
export const shownBesideMoney = 24;

const withdrawalCase = withdrawalForReview.extend({
  /** The newest months of its creator, newest first. */
  months: z.array(earnedMonth),
  /** Other accounts that are paid at the same destination now. */
  sharing,
  /** The batch of its last payment; null if there is none, or if it was paid by hand. */
  batchId: id.nullable(),
  /** The newest other withdrawals of its creator. */
  others: z.array(withdrawal),
  /** The newest acts of operators on it. */
  history: z.array(loggedAct),
});
export type WithdrawalCase = z.infer<typeof withdrawalCase>;

export const showWithdrawal = endpoint({
  method: 'GET',
  path: '/api/operator/withdrawals/:id',
  summary:
    'A withdrawal with the months and other withdrawals of its creator, accounts with the same payout destination, and what operators did',
  tag: 'Operators',
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 600 },
  params: z.object({ id }),
  response: ok({ data: withdrawalCase }),
  errors: ['not_found'],
});
