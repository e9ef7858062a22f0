import type { Transaction } from 'kysely';
import type { LabelForm, Labelled } from '#contract/operators.ts';
import type { ReportKind } from '#contract/reports.ts';
import { labelOf } from '#contract/site-rules.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { logAct, type Operator } from '../audit-log/audit-log.ts';
import * as queries from './cases.queries.ts';
import { decideCaseOf, targetOf, thingsOf } from './cases.ts';
import { decide, endLabels, findDecided } from './decisions.ts';
import { purgeContent } from './withheld.ts';

/** The label of the work, and whether this request changed it. */
type Act = Labelled & { changed: boolean };

/**
 * Labels a work by a rule, and decides its case, in one transaction; of a case with the reels and photos that are merged into it. If it has
 * this label already, the first reason stays.
 */
export async function labelContent(
  context: Context<'db' | 'clock' | 'outbox'>,
  operator: Operator,
  { rule, reason, ...named }: LabelForm,
): Promise<Act> {
  const now = context.clock();
  const label = labelOf[rule] ?? null;
  return await inTransaction(context.db, async (trx) => {
    const acts: Act[] = [];
    for (const one of await thingsOf(trx, operator, named, ['reel', 'post'])) {
      const { target, thing } = await workOf(trx, operator, one);
      const { kind, id: _id } = target;
      const changed = await queries.setLabel(trx, kind, { id: _id, creator_id: thing.owner_id }, label);
      acts.push({ kind, _id, label, changed });
      if (!changed) continue;
      const { caseId, logged } = await decideCaseOf(trx, operator, { ...target, caseId: one.caseId }, now);
      await endLabels(trx, target.id, now);
      await purgeContent(trx, target, [], now);
      await decide(trx, context, { by: operator, target, thing, caseId, rule, act: 'label', reason }, now);
      const details = { what: label, rule, reason, ...logged };
      await logAct(trx, operator, { act: 'content.label', target, details }, now);
    }
    return { ...(acts.at(-1) as Act), changed: acts.some(({ changed }) => changed) };
  });
}

/** Takes the label from a work. Does nothing if it has none. */
export async function unlabelContent(
  { db, clock }: Context<'db' | 'clock'>,
  operator: Operator,
  named: string,
): Promise<Act> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const { target, thing } = await workOf(trx, operator, await targetOf(trx, named));
    const { kind, id } = target;
    const changed = await queries.setLabel(trx, kind, { id, creator_id: thing.owner_id }, null);
    if (changed) {
      await endLabels(trx, id, now);
      await purgeContent(trx, target, [], now);
      await logAct(trx, operator, { act: 'content.unlabel', target }, now);
    }
    return { kind, _id: id, label: null, changed };
  });
}

/** The work that an operator labels, which is a reel or a photo of another person. */
async function workOf(
  trx: Transaction<Tables>,
  operator: Operator,
  { kind, id }: { kind: ReportKind; id: string },
) {
  if (kind !== 'reel' && kind !== 'post')
    throw new Refusal('invalid_input', { what: 'label_kind' }, 'target');
  const target = { kind, id };
  const thing = await findDecided(trx, target);
  if (!thing) throw notFound(kind);
  if (thing.owner_id === operator.id) throw new Refusal('own_work');
  return { target, thing };
}
