import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { logAct, type Operator } from '../audit-log/audit-log.ts';
import * as unfinished from '../reels/unfinished.ts';

/** Processes a failed reel again, and logs it. */
export async function retryReel(
  context: Context<'db' | 'jobs' | 'clock'>,
  operator: Operator,
  { id, reason }: { id: string; reason: string },
): Promise<{ _id: string }> {
  const now = context.clock();
  return await inTransaction(context.db, async (trx) => {
    await unfinished.retryReel(trx, context, id);
    await logAct(
      trx,
      operator,
      { act: 'reel.retry', target: { kind: 'reel', id }, details: { reason } },
      now,
    );
    return { _id: id };
  });
}
