import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, time } from './fields.ts';
import { invalid } from './invalid.ts';
import { because, voidedViews } from './operators.ts';
import type { OperatorRole } from './roles.ts';
import { siteRuleNames } from './site-rules.ts';

/*
 * What no operator does alone: suspending an account without an end, and declaring views void. The calls for that make a proposal, which a
 * second operator of the same role approves.
 */
const tag = 'Operators';
const byId = z.object({ id });

export const proposedActs = ['suspend', 'void'] as const;
export type ProposedAct = (typeof proposedActs)[number];

/** Whose proposal it is: who may make it approves or declines it. */
export const roleOfProposal: Readonly<Record<ProposedAct, OperatorRole>> = {
  suspend: 'moderator',
  void: 'payer',
};

/** A proposal ends after so many days without an answer. */
export const proposalDays = 7;

/** How many proposals are listed at most, the oldest. */
export const proposalsAtMost = 100;

const proposal = z.object({
  _id: id,
  act: z.enum(proposedActs),
  userId: id,
  username: z.string(),
  /** The undecided case about the account that a suspension would decide; null if there is none. */
  caseId: id.nullable(),
  /** Of a suspension. */
  rule: z.enum(siteRuleNames).nullable(),
  /** Of void views. */
  month: z.string().nullable(),
  what: voidedViews.nullable(),
  reason: z.string(),
  /** Username of the operator who proposed it, and whether that is the reader, who cannot approve it. */
  by: z.string(),
  mine: z.boolean(),
  /** Whether there is another operator who may approve it. */
  hasApprover: z.boolean(),
  proposedAt: time,
  /** When it ends without an answer. */
  until: time,
});
export type Proposal = z.infer<typeof proposal>;

export const listProposals = endpoint({
  method: 'GET',
  path: '/api/operator/proposals',
  summary: `What waits for a second operator of your role, oldest first, at most ${proposalsAtMost}`,
  tag,
  access: 'operator',
  role: 'any',
  limit: { perPerson: 600 },
  response: ok({ data: z.array(proposal).max(proposalsAtMost) }),
});

export const approveProposal = endpoint({
  method: 'POST',
  path: '/api/operator/proposals/approve/:id',
  summary:
    'Approve what another operator proposed, if its act belongs to your role: it is done, and the person concerned is notified. Sent twice it is done once',
  tag,
  access: 'operator',
  role: 'any',
  limit: { perPerson: 240 },
  changesLists: true,
  params: byId,
  response: ok({ data: z.object({ _id: id }) }),
  errors: [
    'not_found',
    'not_allowed',
    'second_operator',
    'case_decided',
    'new_operator',
    'is_operator',
    'case_claimed',
    'own_work',
    'own_withdrawal',
    'payouts_locked',
    'confirmation_required',
  ],
});

export const declineProposal = endpoint({
  method: 'POST',
  path: '/api/operator/proposals/decline/:id',
  summary:
    'Decline a proposal, or withdraw your own, with a reason for the log; the person concerned hears nothing of it',
  tag,
  access: 'operator',
  role: 'any',
  limit: { perPerson: 240 },
  params: byId,
  body: z.object({ reason: because(invalid('reason_log')).describe('For the log') }),
  response: ok({ data: z.object({ _id: id }) }),
  errors: ['not_found', 'not_allowed', 'case_decided'],
});
