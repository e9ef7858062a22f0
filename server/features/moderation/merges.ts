import { mergedAtMost } from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import * as queries from './cases.queries.ts';
import { lock, logOnCase, mustSee, refuseOthers } from './cases.ts';

/** Merges undecided cases into another one, or into the one with which that is decided. */
export async function mergeCases(
  { db, clock }: Context<'db' | 'clock'>,
  operator: Operator,
  { id, ids, reason }: { id: string; ids: readonly string[]; reason: string },
): Promise<{ _id: string; merged: string[] }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    await queries.lockMerges(trx);
    const into = (await queries.findCase(trx, id))?.merged_into ?? id;
    if (ids.includes(into)) throw new Refusal('invalid_input', { what: 'merge_itself' }, 'ids');
    const all: queries.LockedCase[] = [];
    for (const one of [...new Set(ids)].toSorted()) all.push(await lock(trx, one));
    const stays = await lock(trx, into);
    for (const one of [...all, stays]) {
      if (one.kind === 'appeal') throw new Refusal('invalid_input', { what: 'merge_appeal' }, 'ids');
      await mustSee(trx, one, operator.id);
      if (one.closed_at) throw new Refusal('case_decided', { username: one.closed_by ?? '' });
      await refuseOthers(trx, one, operator, now);
    }
    for (const one of all) {
      if (one.merged_into === into) continue;
      await queries.merge(trx, one.id, into);
      await logOnCase(trx, operator, { act: 'report.merge', about: one, details: { into, reason } }, now);
    }
    // All of them are shown to the operator who acts on the case.
    if ((await queries.listMerged(trx, into, mergedAtMost + 1)).length > mergedAtMost)
      throw new Refusal('invalid_input', { what: 'merge_many', most: mergedAtMost }, 'ids');
    return { _id: into, merged: all.map((one) => one.id) };
  });
}

/** Undoes the merge of an undecided case. The case that stays keeps the earlier deadline. */
export async function unmergeCase(
  { db, clock }: Context<'db' | 'clock'>,
  operator: Operator,
  id: string,
): Promise<{ _id: string }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const found = await lock(trx, id);
    await mustSee(trx, found, operator.id);
    const { merged_into: from } = found;
    if (!from) return { _id: id };
    if (found.closed_at) throw new Refusal('case_decided', { username: found.closed_by ?? '' });
    await queries.update(trx, id, { merged_into: null });
    await logOnCase(trx, operator, { act: 'report.unmerge', about: found, details: { from } }, now);
    return { _id: id };
  });
}
