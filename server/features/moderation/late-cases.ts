import { mayShowChild } from '#contract/child-safety.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { listOperatorsWho } from '../people/operators.ts';
import * as queries from './cases.queries.ts';

/** Looks for them; runs every minute. */
export const lateCasesJob: JobKind<object> = { name: 'late-cases', retries: 0, seconds: 60 };

const hour = 3_600_000;
/** A mail lists so many cases; all of them are in the console. */
const listedAtMost = 24;

/**
 * Mails the operators who decide cases that the deadline of some has passed, once for each case: one mail for all that have passed, and the
 * next one an hour later at the earliest. What may show a child is only for those who may see it, and for all if there is none of them: a mail
 * has links, and no words about a case. The cases stay late until they are decided.
 */
export async function notifyLateCases({
  db,
  clock,
  outbox,
}: Context<'db' | 'clock' | 'outbox'>): Promise<void> {
  const now = clock();
  await inTransaction(db, async (trx) => {
    const late = await queries.takeLate(trx, now, new Date(now.getTime() - hour));
    if (late.length === 0) return;
    const moderators = await listOperatorsWho(trx, 'moderator');
    const isSeen = moderators.some(({ seesChildren }) => seesChildren);
    for (const { id, seesChildren } of moderators) {
      const own = late.filter((one) => seesChildren || !isSeen || !mayShowChild(one));
      if (own.length === 0) continue;
      const cases = own.slice(0, listedAtMost).map((one) => one.id);
      const values = { count: `${own.length}`, cases: cases.join(' ') };
      await outbox.sendNotice(trx, id, { act: 'cases_late', values }, now);
    }
  });
}
