import type { Transaction } from 'kysely';
import type { CopyForReview } from '#contract/copies.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables, WorkKind } from '#server/platform/database/tables.ts';
import { logAct, type Operator } from '../audit-log/audit-log.ts';
import * as copies from '../copies/decisions.ts';
import { takeForOwn } from '../posts-and-stories/own-work.ts';
import { takeReelForOwn } from '../reels/own-work.ts';

/** Stores that a work is no copy, and returns whether it did not count so far. */
export const takeWorkForOwn = (
  trx: Transaction<Tables>,
  { kind, id }: { kind: WorkKind; id: string },
  now: Date,
): Promise<boolean> => (kind === 'reel' ? takeReelForOwn(trx, id, now) : takeForOwn(trx, { kind, id }, now));

/** Decides whether a work is a copy, and logs it. */
export async function decideCopy(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  operator: Operator,
  id: string,
  { verdict, reason }: { verdict: 'copy' | 'own'; reason: string },
): Promise<CopyForReview> {
  const decision = { verdict, reason, operatorId: operator.id };
  return await copies.decideCopy(context, id, decision, {
    takeForOwn: takeWorkForOwn,
    async done(trx, { kind }, now) {
      const target = { kind, id };
      await logAct(trx, operator, { act: 'copy.decide', target, details: { verdict, reason } }, now);
    },
  });
}
