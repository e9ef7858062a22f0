import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { DecisionOfCase } from '#contract/cases.ts';
import type { Decision, DecisionAct } from '#contract/decisions.ts';
import type { ReportKind } from '#contract/reports.ts';
import type { SiteRule } from '#contract/site-rules.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import { notFound } from '#server/platform/refusal.ts';
import { isOfChild, lastDetails, type Operator } from '../audit-log/audit-log.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { mustSeeChildren } from '../people/child-safety.ts';
import { listOperatorsWho } from '../people/operators.ts';
import { findProposer } from '../proposals/proposals.ts';
import { noteChild } from './cases.queries.ts';
import * as queries from './decisions.queries.ts';
import { evidenceOf } from './evidence.ts';
import { findThing, type ReportedThing } from './reports.queries.ts';

/** A decision against a person, before it is stored. */
interface ToDecide {
  by: Operator;
  target: { kind: ReportKind; id: string };
  /** The thing before it was hidden or deleted. */
  thing: ReportedThing;
  caseId: string | null;
  rule: SiteRule;
  act: DecisionAct;
  until?: Date | null;
  reason: string;
}

/** The thing that an operator acts on, also if it is hidden already. */
export const findDecided = (trx: Transaction<Tables>, { kind, id }: ToDecide['target']) =>
  findThing(trx, kind, id, true);

/**
 * Stores what was decided, and notifies the person concerned on the site and by mail, in the transaction of the act. What they read names
 * neither the operator nor who reported.
 */
export async function decide(
  trx: Transaction<Tables>,
  { outbox }: Context<'outbox'>,
  { by, target, thing, caseId, rule, act, until = null, reason }: ToDecide,
  now: Date,
): Promise<void> {
  const personId = thing.owner_id;
  if (caseId && rule === 'child_safety') await noteChild(trx, caseId);
  const key = randomUUID();
  await queries.insert(trx, {
    ...{ id: newId(now), key, case_id: caseId, kind: target.kind, target_id: target.id, person_id: personId },
    evidence: JSON.stringify(evidenceOf(target.kind, thing)),
    ...{ rule, act, until, reason, decided_by: by.id, decided_at: now },
  });
  const values = { rule, reason, decision: key, ...(until ? { until: until.toISOString() } : {}) };
  const kind =
    act === 'suspend' ? 'account_suspended' : act === 'label' ? 'work_labelled' : 'work_taken_down';
  await notifyFromSite(trx, personId, { kind, aboutId: key }, now);
  await outbox.sendNotice(trx, personId, { act: until ? 'account_suspended_until' : kind, values }, now);
}

/** What was decided, for the person concerned. */
export async function showDecision({ db, config }: Context<'db' | 'config'>, key: string): Promise<Decision> {
  const row = await queries.findByKey(db, key);
  if (!row) throw notFound('decision');
  return {
    ...{ _id: row.key, kind: row.kind, words: row.evidence.words, rule: row.rule, act: row.act },
    until: row.until?.toISOString() ?? null,
    reason: row.reason,
    decidedAt: row.decided_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    appealedAt: row.appealed_at?.toISOString() ?? null,
    ...{ answer: row.answer, answerReason: row.answer_reason },
    isAlone: await isAlone(db, row),
    grievanceEmail: config.grievanceEmail,
  };
}

/** Who decided: the operator who acted, and the one who had proposed it. Nobody for a command on the server. */
export async function decidersOf(db: Kysely<Tables>, decision: queries.Decided): Promise<string[]> {
  const { act, until, decided_by: by, person_id: personId, decided_at: at } = decision;
  if (by === null) return [];
  const proposer =
    act === 'suspend' && until === null
      ? await findProposer(db, { personId, approvedBy: by, at })
      : undefined;
  return proposer ? [by, proposer] : [by];
}

/** Whether only operators who decided could answer an appeal: what may show a child needs the right to see it. */
export async function isAlone(db: Kysely<Tables>, decision: queries.Decided): Promise<boolean> {
  const deciders = await decidersOf(db, decision);
  if (deciders.length === 0) return false;
  const besides = [...deciders, decision.person_id];
  const ofChild = await queries.isDecidedOfChild(db, decision.id);
  return !(await listOperatorsWho(db, 'moderator')).some(
    ({ id, seesChildren }) => !besides.includes(id) && (seesChildren || !ofChild),
  );
}

/** What was decided in a case, or what the case is an appeal against, for operators. */
export async function decisionOfCase(db: Kysely<Tables>, caseId: string): Promise<DecisionOfCase | null> {
  const row = await queries.findOfCase(db, caseId);
  if (!row) return null;
  const { rule, act, reason, answer } = row;
  return {
    ...{ rule, act, until: row.until?.toISOString() ?? null, reason, by: row.operator ?? '' },
    decidedAt: row.decided_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    ...{ caseId: row.case_id, appealId: row.appeal_id, answer, answerReason: row.answer_reason },
  };
}

/** Refuses an operator who may not see what shows a child, if a decision about that is in force against a work or an account. */
async function mustSeeDecided(
  db: Kysely<Tables>,
  operatorId: string | null,
  targetId: string,
): Promise<void> {
  if (await queries.isHeldOfChild(db, targetId)) await mustSeeChildren(db, operatorId);
}

/**
 * Whether a work is taken down as what shows a child. The log of the take-down stays when the decision is deleted, which goes with the account
 * of the work.
 */
export async function isTakenDownOfChild(db: Kysely<Tables>, work: ToDecide['target']): Promise<boolean> {
  if (await queries.isHeldOfChild(db, work.id)) return true;
  const logged = await lastDetails(db, 'content.take-down', work);
  return logged !== undefined && isOfChild(logged);
}

/** Refuses an operator who may not see what shows a child, for such a work and for what looks like it. */
export async function mustSeeTakenDown(
  trx: Transaction<Tables>,
  operatorId: string | null,
  work: ToDecide['target'],
): Promise<void> {
  if (await isTakenDownOfChild(trx, work)) await mustSeeChildren(trx, operatorId);
}

/** Like `mustSeeDecided`, for what a work said before: also while a case about that is undecided. */
export async function mustSeeEdits(
  db: Kysely<Tables>,
  operatorId: string | null,
  workId: string,
): Promise<void> {
  await mustSeeDecided(db, operatorId, workId);
  if (await queries.isReportedOfChild(db, workId)) await mustSeeChildren(db, operatorId);
}

/**
 * Notes that what was decided against a work or an account is undone, in the transaction that does so. What may show a child is undone only
 * by who may see it.
 */
export async function endDecisions(
  trx: Transaction<Tables>,
  operator: Operator,
  targetId: string,
  now: Date,
): Promise<void> {
  await mustSeeDecided(trx, operator.id, targetId);
  await queries.end(trx, targetId, now);
}
/** What was decided about a person and their works, the newest first; also what had no report. */
export const listDecidedOf = queries.listOfPerson;
export const endLabels = queries.endLabels;

const atOnce = 100;

/** Calls `end` for each person whose suspension is over. */
export async function eachOverdue(
  db: Kysely<Tables>,
  now: Date,
  end: (personId: string) => Promise<unknown>,
): Promise<void> {
  let ids: string[] = [];
  do {
    ids = await queries.listOverdue(db, now, atOnce);
    for (const id of ids) await end(id);
  } while (ids.length === atOnce);
}

export const isOverdue = queries.isOverdue;
export const endOfSuspension = queries.endOfSuspension;
