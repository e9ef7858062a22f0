import {
  type Proposal,
  type ProposedAct,
  proposalDays,
  proposedActs,
  roleOfProposal,
} from '#contract/proposals.ts';
import { retention } from '#contract/retention.ts';
import { mayCall, type Role } from '#contract/roles.ts';
import type { Context } from '#server/platform/context.ts';
import type { ProposedSuspension, ProposedVoid } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { Waiting } from '#server/platform/database/waiting.ts';
import { newId } from '#server/platform/ids.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { logAct, type OperatorAccount } from '../audit-log/audit-log.ts';
import { isPaidToOperator } from '../destinations/own-money.ts';
import { openCasesAbout, releaseClaimOn } from '../moderation/cases.ts';
import { endOfSuspension } from '../moderation/decisions.ts';
import { mustNotBeNew } from '../payers/alone.ts';
import { listOperatorsWho } from '../people/operators.ts';
import { roleOf } from '../people/role-of.ts';
import * as queries from '../proposals/proposals.ts';
import * as people from './operators.queries.ts';
import { suspendPerson } from './people.ts';
import { voidMonth } from './releases.ts';

const day = 24 * 60 * 60 * 1000;
const { openSince } = queries;

/** An operator with an account, who makes a call. */
export type Proposer = OperatorAccount & { role: Role };

type ToPropose = { personId: string } & (
  | { act: 'suspend'; said: ProposedSuspension }
  | { act: 'void'; said: ProposedVoid }
);

/**
 * Stores what an operator proposes, for a second one; returns its id. The person concerned hears nothing. While the same is open, it stays
 * as it is. Null for a suspension of an account that is suspended without an end.
 */
export async function propose(
  { db, clock }: Context<'db' | 'clock'>,
  operator: OperatorAccount,
  { personId, ...proposed }: ToPropose,
): Promise<string | null> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    await mustNotBeNew(trx, operator.id, now);
    const person = await people.lockPerson(trx, personId);
    if (!person) throw notFound('person');
    if (proposed.act === 'suspend') {
      if (roleOf(person) !== 'person') throw new Refusal('is_operator', { what: 'suspend' });
      if (person.suspended_at && !(await endOfSuspension(trx, personId))) return null;
      // A case that waits for another operator is not claimed by this one.
      await releaseClaimOn(trx, operator, { kind: 'person', id: personId });
    } else if (await isPaidToOperator(trx, operator.id, personId))
      throw new Refusal('own_withdrawal', { what: 'month' });
    const before = await queries.findOpen(trx, { ...proposed, personId }, openSince(now));
    if (before) return before.id;
    const id = newId(now);
    const { act, said } = proposed;
    await queries.insert(trx, {
      ...{ id, act, person_id: personId, said: JSON.stringify(said) },
      ...{ proposed_by: operator.id, proposed_at: now },
    });
    const target = { kind: 'person', id: personId };
    await logAct(trx, operator, { act: `proposal.${act}`, target, details: { proposal: id, ...said } }, now);
    return id;
  });
}

/** What waits for a second operator of this role. */
export async function listProposals(
  { db, clock }: Context<'db' | 'clock'>,
  reader: { id: string; role: Role },
): Promise<Proposal[]> {
  const acts = proposedActs.filter((act) => mayCall(reader.role, roleOfProposal[act]));
  const [rows, suspending, voiding] = await Promise.all([
    queries.listOpen(db, acts, openSince(clock())),
    listOperatorsWho(db, roleOfProposal.suspend),
    listOperatorsWho(db, roleOfProposal.void),
  ]);
  const suspended = rows.filter(({ act }) => act === 'suspend').map((row) => row.person_id);
  const cases = await openCasesAbout(db, suspended);
  const approvers = { suspend: suspending, void: voiding };
  return rows.map((row) => ({
    ...{ _id: row.id, act: row.act, userId: row.person_id, username: row.username },
    caseId: (row.act === 'suspend' && cases.get(row.person_id)) || null,
    rule: 'rule' in row.said ? row.said.rule : null,
    month: 'month' in row.said ? row.said.month : null,
    what: 'what' in row.said ? row.said.what : null,
    reason: row.said.reason,
    ...{ by: row.proposer, mine: row.proposed_by === reader.id },
    hasApprover: approvers[row.act].some(({ id }) => id !== row.proposed_by),
    proposedAt: row.proposed_at.toISOString(),
    until: new Date(row.proposed_at.getTime() + proposalDays * day).toISOString(),
  }));
}

/**
 * Does what another operator proposed, in one transaction with the answer. False if it was done before. If nothing is left to do it is refused,
 * and the proposal stays open until it is declined.
 */
export async function approveProposal(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  operator: Proposer,
  id: string,
): Promise<boolean> {
  const now = context.clock();
  return await inTransaction(context.db, async (trx) => {
    const found = await lockOpen(trx, operator, { id, answer: 'approved' }, now);
    if (!found) return false;
    if (found.proposed_by === operator.id) throw new Refusal('second_operator', { what: 'own_proposal' });
    await mustNotBeNew(trx, operator.id, now);
    await queries.answer(trx, id, { answer: 'approved', answered_by: operator.id });
    const within = { ...context, db: trx };
    const { person_id: personId, said } = found;
    const target = { kind: 'person', id: personId };
    const rule = 'rule' in said ? { rule: said.rule } : {};
    await logAct(trx, operator, { act: 'proposal.approve', target, details: { proposal: id, ...rule } }, now);
    const isDone =
      'rule' in said
        ? (await suspendPerson(within, operator, personId, said)).changed
        : (await voidMonth(within, operator, { ...said, creatorId: personId })) !== undefined;
    if (!isDone) throw new Refusal('second_operator', { what: 'nothing_left' });
    return true;
  });
}

/** Ends a proposal without doing it; nobody is notified. */
export async function declineProposal(
  { db, clock }: Context<'db' | 'clock'>,
  operator: Proposer,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const now = clock();
  await inTransaction(db, async (trx) => {
    const found = await lockOpen(trx, operator, { id, answer: 'declined' }, now);
    if (!found) return;
    await queries.answer(trx, id, { answer: 'declined', answered_by: operator.id });
    const target = { kind: 'person', id: found.person_id };
    const rule = 'rule' in found.said ? { rule: found.said.rule } : {};
    const details = { proposal: id, reason, ...rule };
    await logAct(trx, operator, { act: 'proposal.decline', target, details }, now);
  });
}

/** The open proposal with this id; undefined if this operator has given it the same answer before. */
async function lockOpen(
  trx: Parameters<typeof queries.lock>[0],
  operator: Proposer,
  { id, answer }: { id: string; answer: 'approved' | 'declined' },
  now: Date,
) {
  const found = await queries.lock(trx, id);
  if (!found) throw notFound('gone');
  const role = roleOfProposal[found.act];
  if (!mayCall(operator.role, role)) throw new Refusal('not_allowed', { what: `for_${role}` });
  if (found.answer === answer && found.answered_by === operator.id) return undefined;
  if (found.answer) {
    const answerer = await people.findPerson(trx, { id: found.answered_by ?? '' });
    throw new Refusal('case_decided', { username: answerer?.username ?? '' });
  }
  if (found.proposed_at <= openSince(now)) throw notFound('gone');
  return found;
}

/** Open proposals of an act, and since when the oldest waits. */
export const countProposals = ({ db, clock }: Context<'db' | 'clock'>, act: ProposedAct): Promise<Waiting> =>
  queries.countOpen(db, act, openSince(clock()));

/** Deletes old proposals; what was done stays in the log. */
export async function deleteOldProposals({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteOld(db, new Date(clock().getTime() - retention.reportDays * day));
}
