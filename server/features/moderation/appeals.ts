import type { Kysely, Transaction } from 'kysely';
import type { AppealAnswer } from '#contract/decisions.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { closeAppeal } from './cases.ts';
import * as queries from './decisions.queries.ts';
import { languageOf } from './evidence.ts';
import { findThing, insertReport, openAppealCase } from './reports.queries.ts';

const hour = 3_600_000;

/**
 * Stores the appeal of the person concerned as a case. Each decision has at most one appeal; sent again, it has no effect. The random id of
 * the decision is enough to send it, since a suspended person cannot log in.
 */
export async function appeal(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  { id: key, text }: { id: string; text: string },
): Promise<{ appealedAt: string }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const decision = await queries.lock(trx, { key });
    if (!decision) throw notFound('decision');
    const { appealed_at: before, person_id: personId, evidence } = decision;
    if (before) return { appealedAt: before.toISOString() };
    if (decision.ended_at) throw new Refusal('decision_over');
    const id = newId(now);
    await openAppealCase(trx, {
      ...{ id, kind: 'appeal', target_id: decision.id, opened_at: now },
      due_at: new Date(now.getTime() + config.reportHours.appeal * hour),
      ...{ language: languageOf({ words: text, more: '' }, ''), evidence: JSON.stringify(evidence) },
      // As the case that was decided, it is seen only by who may see that.
      reasons: (await queries.isDecidedOfChild(trx, decision.id)) ? ['appeal', 'child_safety'] : ['appeal'],
      report_count: 1,
    });
    await insertReport(trx, {
      ...{ id, case_id: id, number: newKey(), reporter_id: personId, reason: 'appeal', text, contact: '' },
      created_at: now,
    });
    await queries.update(trx, decision.id, { appealed_at: now, appeal_id: id });
    return { appealedAt: now.toISOString() };
  });
}

/** The decision against which a case is an appeal. */
export async function findAppealed(db: Kysely<Tables>, caseId: string) {
  const decision = await queries.findByAppeal(db, caseId);
  if (!decision) throw notFound('appeal');
  return decision;
}

interface Answered {
  by: Operator;
  caseId: string;
  answer: AppealAnswer;
  reason: string;
}

/**
 * Stores the answer to an appeal, closes its case, and notifies the person, in the transaction that undoes a reversed decision. A decision
 * that is reversed counts as no broken rule for those who reported. False if the same operator has answered the same before.
 */
export async function answer(
  trx: Transaction<Tables>,
  { outbox }: Context<'outbox'>,
  { by, caseId, answer: said, reason }: Answered,
  now: Date,
): Promise<boolean> {
  const { id } = await findAppealed(trx, caseId);
  const decision = await queries.lock(trx, { id });
  if (!decision) throw notFound('appeal');
  const { person_id: personId, case_id: decidedCase, key } = decision;
  const isReversed = said === 'reversed';
  const details = { answer: said, reason };
  if (!(await closeAppeal(trx, by, { caseId, decidedCase: isReversed ? decidedCase : null, details }, now)))
    return false;
  const ended = isReversed && !decision.ended_at ? { ended_at: now } : {};
  await queries.update(trx, id, { answer: said, answer_reason: reason, answered_at: now, ...ended });
  const act = isReversed ? 'decision_reversed' : 'decision_upheld';
  await notifyFromSite(trx, personId, { kind: act, aboutId: key }, now);
  await outbox.sendNotice(trx, personId, { act, values: { reason, decision: key } }, now);
  return true;
}

/** Whether its owner has not deleted what was decided about. */
export const isThere = async (
  trx: Transaction<Tables>,
  kind: 'reel' | 'post' | 'story',
  id: string,
): Promise<boolean> => (await findThing(trx, kind, id, true)) !== undefined;
