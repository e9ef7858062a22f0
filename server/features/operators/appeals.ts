import type { z } from 'zod';
import type { answerAppeal as endpoint } from '#contract/cases.ts';
import type { AppealAnswer } from '#contract/decisions.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import { answer, findAppealed, isThere } from '../moderation/appeals.ts';
import { unlabelContent } from '../moderation/labels.ts';
import { restoreContent } from '../moderation/take-down.ts';
import { restorePerson } from './people.ts';

/**
 * Answers the appeal of a person. A reversed decision is undone by the acts that restore content and accounts or take a label away, in the same transaction; a
 * deleted comment, and what its owner has deleted, stay deleted. What has ended or replaced the decision before stays as it is. Sent again by
 * the same operator it has no effect.
 */
export async function answerAppeal(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  operator: Operator,
  { id, ...said }: z.output<(typeof endpoint)['body']> & { id: string },
): Promise<{ _id: string; answer: AppealAnswer; changed: boolean }> {
  return await inTransaction(context.db, async (trx) => {
    const decision = await findAppealed(trx, id);
    const { answer: before, kind, target_id: targetId } = decision;
    if (before && before !== said.answer) throw new Refusal('case_decided', { username: operator.name });
    let changed = false;
    // What has ended was undone already, or is replaced by another decision, which stays.
    if (said.answer === 'reversed' && !before && !decision.ended_at && kind !== 'comment') {
      const within = { ...context, db: trx };
      if (kind === 'person') ({ changed } = await restorePerson(within, operator, targetId));
      else if (await isThere(trx, kind, targetId)) {
        const undo = decision.act === 'label' ? unlabelContent : restoreContent;
        ({ changed } = await undo(within, operator, `${kind}:${targetId}`));
      }
    }
    await answer(trx, context, { by: operator, caseId: id, ...said }, context.clock());
    return { _id: id, answer: said.answer, changed };
  });
}
