import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import * as queries from './backfill.queries.ts';

/** People at once: uploads wait for the register that long. */
const atOnce = 500;

/**
 * Makes the register of stored files what the rows say that name files, and notes that it is complete. Safe while this version
 * runs, and as often as wanted; a version before the register must not run any more. Returns how many rows it changed.
 */
export async function backfillStoredFiles(
  db: Kysely<Tables>,
): Promise<{ registered: number; forgotten: number }> {
  const changed = { registered: 0, forgotten: 0 };
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after; ) {
    const from: string = after;
    after = await inTransaction(db, async (trx) => {
      await queries.lockRegister(trx);
      const people = await queries.peopleAfter(trx, from, atOnce);
      changed.registered += await queries.registerMissing(trx, people);
      changed.forgotten += await queries.forgetUnnamed(trx, people);
      return people.at(-1);
    });
  }
  changed.forgotten += await inTransaction(db, async (trx) => {
    await queries.lockRegister(trx);
    return await queries.forgetUnowned(trx);
  });
  await queries.markComplete(db);
  return changed;
}

/**
 * Completes the register at the start of a server, if it can be certain that no older version runs beside it: an embedded
 * database belongs to one process, and a site without people has no files. Returns whether it is complete.
 */
export async function completeStoredFiles(db: Kysely<Tables>, isAlone: boolean): Promise<boolean> {
  if (isAlone) await backfillStoredFiles(db);
  else if (!(await queries.hasPeople(db))) await queries.markComplete(db);
  return await queries.isMarkedComplete(db);
}
