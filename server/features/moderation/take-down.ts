import type { Transaction } from 'kysely';
import type { Moderated, TakeDownForm } from '#contract/operators.ts';
import type { ReportKind } from '#contract/reports.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { lastDetails, logAct, type Operator } from '../audit-log/audit-log.ts';
import { compareAnew, findOriginal, lockWaitingCopies } from '../copies/originals.ts';
import { hiddenBecause } from '../copies/waiting.ts';
import { removeComment } from '../reels/engagement.ts';
import * as queries from './cases.queries.ts';
import { decideCaseOf, targetOf, thingsOf } from './cases.ts';
import { decide, endDecisions, findDecided, mustSeeTakenDown } from './decisions.ts';
import { purgeContent } from './withheld.ts';
import { works } from './works.ts';

/** The state of the content, and whether this request changed it. */
type Act = Moderated & { changed: boolean };

/**
 * Takes down content, named by the id of a case or as `kind:id`, and decides its case, in one transaction; of a case with all that is
 * merged into it and public, each with a decision of its own. If it is taken down already, the first reason stays, except that content can be taken
 * down after only this copy was.
 */
export async function takeDown(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  operator: Operator,
  { what, rule, reason, ...named }: TakeDownForm,
): Promise<Act> {
  const now = context.clock();
  return await inTransaction(context.db, async (trx) => {
    const acts: Act[] = [];
    for (const { caseId, ...target } of await thingsOf(trx, operator, named))
      acts.push(await hide(trx, context, { by: operator, target, caseId, what, rule, reason }, now));
    return { ...(acts.at(-1) as Act), changed: acts.some(({ changed }) => changed) };
  });
}

interface ToHide extends Pick<TakeDownForm, 'what' | 'rule' | 'reason'> {
  by: Operator;
  target: { kind: ReportKind; id: string };
  caseId: string | undefined;
}

async function hide(
  trx: Transaction<Tables>,
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  asked: ToHide,
  now: Date,
): Promise<Act> {
  const { by, target, caseId: named, what, rule, reason } = asked;
  const { kind, id } = target;
  if (kind === 'person') throw new Refusal('invalid_input', { what: 'suspend_instead' }, 'target');
  if (kind === 'comment') return await deleteReported(trx, context, asked, now);
  const thing = await findDecided(trx, target);
  const hidden = await works[kind].takeDown(trx, id, { as: what, reason }, now);
  if (hidden) {
    await compareAnew(trx, context, id, by.id);
    const { caseId, logged } = await decideCaseOf(trx, by, { ...target, caseId: named }, now);
    await purgeContent(trx, { kind, id }, hidden, now);
    if (thing) await decide(trx, context, { by, target, thing, caseId, rule, act: what, reason }, now);
    const details = { what, rule, reason, ...logged };
    await logAct(trx, by, { act: 'content.take-down', target, details }, now);
  }
  return { ...(await standing(trx, kind, id)), changed: hidden !== undefined };
}

/** A comment cannot be restored: it is deleted, also for its author. */
async function deleteReported(
  trx: Transaction<Tables>,
  context: Context<'outbox'>,
  { by, target, rule, reason, caseId: named }: ToHide,
  now: Date,
): Promise<Act> {
  const { kind, id } = target;
  const thing = await findDecided(trx, target);
  const comment = await removeComment(trx, id);
  if (!comment) {
    const before = await lastDetails(trx, 'content.take-down', target);
    if (!before) throw notFound('comment');
    return { kind, _id: id, takenDown: String(before.reason), changed: false };
  }
  const { caseId, logged } = await decideCaseOf(trx, by, { ...target, caseId: named }, now);
  if (thing) await decide(trx, context, { by, target, thing, caseId, rule, act: 'copy', reason }, now);
  const details = { rule, reason, ...logged, ...comment };
  await logAct(trx, by, { act: 'content.take-down', target, details }, now);
  return { kind, _id: id, takenDown: reason, changed: true };
}

/**
 * Makes taken-down content public again, in its old place and with its old counts, and copies of it that wait. Refuses if some of this is
 * the operator's own, and what was decided as showing a child, or looks like that, for who may not see it.
 */
export async function restoreContent(
  context: Context<'db' | 'clock' | 'config'>,
  operator: Operator,
  named: string,
): Promise<Act> {
  const now = context.clock();
  return await inTransaction(context.db, async (trx) => {
    const { kind, id } = await targetOf(trx, named);
    if (kind === 'person') throw new Refusal('invalid_input', { what: 'restore_person' }, 'target');
    if (kind === 'comment') throw new Refusal('invalid_input', { what: 'restore_comment' }, 'target');
    const changed = await works[kind].restore(trx, id, now);
    if (changed) {
      const copies = await lockWaitingCopies(trx, id);
      for (const work of [{ kind, id }, ...copies]) {
        const { creator_id: ownerId } = await queries.findTakeDown(trx, work.kind, work.id);
        if (ownerId === operator.id) throw new Refusal('own_work');
      }
      const original = await findOriginal(trx, id);
      await mustSeeTakenDown(trx, operator.id, { kind, id });
      if (original) await mustSeeTakenDown(trx, operator.id, { kind: original.kind, id: original.work_id });
      for (const copy of copies) await works[copy.kind].restore(trx, copy.id, now);
      await compareAnew(trx, context, id, operator.id);
      await endDecisions(trx, operator, id, now);
      await logAct(trx, operator, { act: 'content.restore', target: { kind, id } }, now);
    }
    return { ...(await standing(trx, kind, id)), changed };
  });
}

async function standing(trx: Transaction<Tables>, kind: keyof typeof works, id: string): Promise<Moderated> {
  return { kind, _id: id, takenDown: hiddenBecause(await queries.findTakeDown(trx, kind, id)) };
}
