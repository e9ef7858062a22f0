import type { CopyForReview } from '#contract/copies.ts';
import type { Context } from '#server/platform/context.ts';
import { logAct, type Operator } from '../audit-log/audit-log.ts';
import * as copies from '../copies/decisions.ts';
import { mustSeeTakenDown } from '../moderation/decisions.ts';
import { works } from '../moderation/works.ts';

/** Decides whether a work is a copy, and logs it. */
export async function decideCopy(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  operator: Operator,
  id: string,
  { verdict, reason }: { verdict: 'copy' | 'own'; reason: string },
): Promise<CopyForReview> {
  const decision = { verdict, reason, operatorId: operator.id };
  return await copies.decideCopy(context, id, decision, {
    works,
    mustSee: (trx, original) => mustSeeTakenDown(trx, operator.id, original),
    async done(trx, { kind }, now) {
      const target = { kind, id };
      await logAct(trx, operator, { act: 'copy.decide', target, details: { verdict, reason } }, now);
    },
  });
}
