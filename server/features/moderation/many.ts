import type { Transaction } from 'kysely';
import type { DecidedOne, DecideForm } from '#contract/cases.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import * as queries from './cases.queries.ts';
import { closeCase, listMergedWorks, refuseDecided } from './cases.ts';
import { takeDown } from './take-down.ts';

type Needed = Context<'db' | 'clock' | 'config' | 'outbox'>;

/**
 * Decides cases one by one, each in a transaction of its own and by the function of a single decision. A preview does the same and rolls it
 * back, so it says what would happen by the same rules. What one case refuses does not keep others from being decided.
 */
export async function decideCases(
  context: Needed,
  operator: Operator,
  { ids, preview, ...said }: DecideForm,
): Promise<{ data: DecidedOne[]; changed: boolean }> {
  const data: DecidedOne[] = [];
  let changed = false;
  for (const id of new Set(ids)) {
    const decide = async (db: Transaction<Tables>) => {
      const merged = said.act === 'take-down' ? await listMergedWorks(db, id) : [];
      const hasChanged = await decideOne({ ...context, db }, operator, { id, ...said });
      const found = await queries.findTarget(db, id);
      // Another operator may have taken it down at the same time.
      if (found) refuseDecided(found, operator);
      return { decided: found?.closed_at != null, hasChanged, merged: merged.map(({ caseId }) => caseId) };
    };
    try {
      const { decided, hasChanged, merged } = preview
        ? await undone(context.db, decide)
        : await inTransaction(context.db, decide);
      changed ||= hasChanged && !preview;
      data.push({ _id: id, decided, refusal: null, merged });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, params } = error;
      data.push({ _id: id, decided: false, refusal: { code, error: message, params }, merged: [] });
    }
  }
  return { data, changed };
}

/** Decides a case; returns whether that changed public lists. */
async function decideOne(
  context: Needed,
  operator: Operator,
  { id, act, what, rule, reason, merged }: Omit<DecideForm, 'ids' | 'preview'> & { id: string },
): Promise<boolean> {
  if (act === 'take-down' && what && rule)
    return (await takeDown(context, operator, { target: id, what, rule, reason, merged })).changed;
  await closeCase(context, operator, { id, reason });
  return false;
}

/** The result of an act, which is rolled back. */
async function undone<T>(db: Needed['db'], act: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
  const trx = await db.startTransaction().execute();
  try {
    return await act(trx);
  } finally {
    await trx.rollback().execute();
  }
}
